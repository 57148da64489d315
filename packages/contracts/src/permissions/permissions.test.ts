import { describe, expect, it } from '@jest/globals';
import { partyNames, serviceNames } from './services.ts';
import { operations, streams } from './subjects.ts';
import { permissionsOf } from './permissions.ts';

const all = partyNames.map((name) => Object.assign(permissionsOf(name), { name }));

describe('permissionsOf', () => {
  it.each(all)(
    '$name has wildcards only for its own inbox, acknowledgements and discovery',
    (permissions) => {
      const { name, publish, subscribe } = permissions;
      const wildcards = [...publish, ...subscribe].filter((subject) => /[*>]/.test(subject));
      const own = new Set([`_INBOX_${name}.>`, `$SRV.*.${name}`, `$SRV.*.${name}.*`]);
      const acknowledgement = new RegExp(String.raw`^\$JS\.ACK\.[A-Z]+\.${name}(-[a-z]+)?\.>$`);
      expect(wildcards.filter((subject) => !own.has(subject) && !acknowledgement.test(subject))).toEqual([]);
    },
  );

  it.each(all)('$name subscribes to operations only in its own queue group', (permissions) => {
    const subjects = new Set(operations.map(({ subject }) => subject));
    const served = permissions.subscribe
      .map((line) => line.split(' '))
      .filter(([one = '']) => subjects.has(one));
    expect(served.filter(([, queue]) => queue !== permissions.name)).toEqual([]);
  });

  it('allows only setup to change streams', () => {
    const changesStream = /^\$JS\.API\.STREAM\.(CREATE|UPDATE|DELETE|PURGE)/;
    const admins = all.filter(({ publish }) => publish.some((subject) => changesStream.test(subject)));
    expect(admins.map(({ name }) => name)).toEqual(['setup']);
    expect(permissionsOf('setup').publish).toHaveLength(3 * streams.length);
  });

  it('allows only services to answer', () => {
    expect(all.filter(({ answers }) => answers).map(({ name }) => name)).toEqual(serviceNames);
  });
});
