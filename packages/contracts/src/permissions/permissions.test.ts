import { describe, expect, it } from '@jest/globals';
import { operations, partyNames, serviceNames, streams } from './services.ts';
import { permissionsOf } from './permissions.ts';

const all = partyNames.map((name) => Object.assign(permissionsOf(name), { name }));

describe('permissionsOf', () => {
  it.each(all)('$name: no wildcard but for its own inbox, acknowledgements and discovery', (permissions) => {
    const { name, publish, subscribe } = permissions;
    const wild = [...publish, ...subscribe].filter((subject) => /[*>]/.test(subject));
    const own = new Set([`_INBOX_${name}.>`, `$SRV.*.${name}`, `$SRV.*.${name}.*`]);
    const acknowledgement = new RegExp(String.raw`^\$JS\.ACK\.[A-Z]+\.${name}\.>$`);
    expect(wild.filter((subject) => !own.has(subject) && !acknowledgement.test(subject))).toEqual([]);
  });

  it.each(all)(
    '$name: subscribes to no operation without a queue group, nor in another one',
    (permissions) => {
      const subjects = new Set(operations.map(({ subject }) => subject));
      const served = permissions.subscribe
        .map((line) => line.split(' '))
        .filter(([one = '']) => subjects.has(one));
      expect(served.filter(([, queue]) => queue !== permissions.name)).toEqual([]);
    },
  );

  it('only setup may decide what a stream keeps', () => {
    const deciding = /^\$JS\.API\.STREAM\.(CREATE|UPDATE|DELETE|PURGE)/;
    const keepers = all.filter(({ publish }) => publish.some((subject) => deciding.test(subject)));
    expect(keepers.map(({ name }) => name)).toEqual(['setup']);
    expect(permissionsOf('setup').publish).toHaveLength(3 * streams.length);
  });

  it('only services answer', () => {
    expect(all.filter(({ answers }) => answers).map(({ name }) => name)).toEqual(serviceNames);
  });
});
