import { runRooms } from './rooms.js';

await runRooms(
  'agent',
  'primary',
  'daemon',
  'lifecycle',
  'protocol',
  'shared',
  'config',
  'errors',
  'features',
);
