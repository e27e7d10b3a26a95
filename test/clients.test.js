import { runRooms } from './rooms.js';

await runRooms('endpoint', 'export', 'inspect', 'web');
