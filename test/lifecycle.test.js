import { runRooms } from './rooms.js';

await runRooms('boot', 'errors', 'lifecycle');
