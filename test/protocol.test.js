import { runRooms } from './rooms.js';

await runRooms('protocol', 'shared');
