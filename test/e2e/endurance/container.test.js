/**
 * The image of packaging/container/Dockerfile, made by podman on a booted machine: read-only, as a user without
 * capabilities, behind HAProxy, containers are reloaded and replaced under load.
 */
import t from 'tap';
import { testOnMachine } from '../../support/machine.js';

t.test('container', async (t) => testOnMachine(t, 'container'));
