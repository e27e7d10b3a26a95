import { runRooms } from './rooms.js';

await runRooms('smoke');
