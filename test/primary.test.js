import { runRooms } from './rooms.js';

await runRooms('agent', 'primary');
