import { runRooms } from './rooms.js';

await runRooms('api', 'cli', 'clients', 'show', 'repository');
