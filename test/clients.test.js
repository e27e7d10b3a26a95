import { runRooms } from './rooms.js';

await runRooms('api', 'cli', 'endpoint', 'export', 'inspect', 'web', 'repository');
