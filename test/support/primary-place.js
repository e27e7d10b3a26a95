import { primaryIds, readRecord, workersIn } from '../../src/shared/processes/primary-record.js';

export function placeOf(paths, app = 'web') {
  const places = primaryIds(paths.primariesDir).map((id) => paths.primary(id));
  const place = places.find(({ identity }) => {
    const found = readRecord(identity);
    return found.kind === 'sound' && workersIn(found.record).has(app);
  });
  if (place === undefined) throw new Error(`no primary has ${app}`);
  return place;
}
