import { describe, expect, it } from '@jest/globals';
import { type Frame, partOf, sharesOf } from './parts.ts';

const frame = (functionName: string, url = '', more: Partial<Frame> = {}): Frame => ({
  functionName,
  scriptId: url === '' ? '0' : '7',
  url,
  lineNumber: 9,
  ...more,
});
let ids = 0;
const node = (hitCount: number, ...of: Parameters<typeof frame>) => ({
  id: ++ids,
  hitCount,
  callFrame: frame(...of),
});
const callerOf = ({ id }: { readonly id: number }, ...of: Parameters<typeof frame>) => ({
  ...node(0, ...of),
  children: [id],
});
const total = (parts: readonly { readonly share: number }[]): number =>
  parts.reduce((sum, { share }) => sum + share, 0);

describe('partOf', () => {
  it.each([
    ['file:///app/node_modules/mongodb/lib/cmap/connection.js', 'mongodb'],
    ['file:///app/node_modules/mongodb/node_modules/bson/lib/bson.mjs', 'bson'],
    ['file:///app/node_modules/@fastify/cors/index.js', '@fastify/cors'],
    ['/app/node_modules/sonic-boom/index.js', 'sonic-boom'],
    ['file:///app/services/gateway/dist/http/server.js', 'gateway/http'],
    ['file:///app/services/jobs/dist/store/lists/page.js', 'jobs/store'],
    ['file:///app/services/jobs/dist/main.js', 'jobs'],
    ['file:///app/packages/service-kit/dist/health/probe.js', 'service-kit'],
    ['file:///packages/app/packages/bus/dist/wire.js', 'bus'],
    ['node:internal/streams/writable', 'node'],
    ['node:net', 'node'],
    ['file:///app/script.js', 'other files'],
    ['wasm://wasm/8a3', 'other files'],
  ])('%s is of %s', (url, part) => {
    expect(partOf(frame('write', url))).toBe(part);
  });

  it.each([
    ['writev', '0', 'system calls and native'],
    ['(program)', '0', 'system calls and native'],
    ['(garbage collector)', '0', 'garbage collector'],
    ['anonymous', '42', 'generated code'],
  ])('%s of script %s without a file is of %s', (name, scriptId, part) => {
    expect(partOf(frame(name, '', { scriptId }))).toBe(part);
  });
});

describe('sharesOf', () => {
  it('is of the time in which the process was busy', () => {
    const { samples, parts } = sharesOf({
      nodes: [
        node(0, '(root)'),
        node(500, '(idle)'),
        node(30, 'parse', 'node:url'),
        node(10, 'writev'),
        node(20, '(program)'),
        node(40, 'read', 'node:net'),
      ],
    });
    expect(samples).toBe(100);
    expect(parts).toEqual([
      { name: 'node', share: 0.7 },
      { name: 'system calls and native', share: expect.closeTo(0.3) },
    ]);
  });

  it('puts what is below one percent together, at the end', () => {
    const { parts } = sharesOf({
      nodes: [
        node(6, 'a', 'file:///node_modules/a/a.js'),
        node(7, 'b', 'file:///node_modules/b/b.js'),
        node(10, 'c', 'file:///node_modules/c/c.js'),
        node(977, 'd', 'file:///node_modules/d/d.js'),
      ],
    });
    expect(parts.map(({ name }) => name)).toEqual(['d', 'c', 'other']);
    expect(parts.at(-1)?.share).toBeCloseTo(0.013);
  });

  it('adds up a function over all who call it, and tells apart those of one name', () => {
    const url = 'file:///app/services/jobs/dist/store/page.js';
    const { functions } = sharesOf({
      nodes: [
        node(3, 'read', url),
        node(4, '', url, { lineNumber: 1 }),
        node(2, 'read', url),
        node(1, 'read', url, { lineNumber: 20 }),
      ],
    });
    expect(functions).toEqual([
      { name: 'read', file: 'services/jobs/dist/store/page.js:10', share: 0.5 },
      { name: '(anonymous)', file: 'services/jobs/dist/store/page.js:2', share: 0.4 },
      { name: 'read', file: 'services/jobs/dist/store/page.js:21', share: 0.1 },
    ]);
  });

  it.each([
    ['file:///app/node_modules/nats/lib/parser.js', -1, 'nats/lib/parser.js:1'],
    ['node:net', 9, 'node:net:10'],
    ['', -1, ''],
  ])('shows the file "%s" in short', (url, lineNumber, file) => {
    expect(sharesOf({ nodes: [node(1, 'x', url, { lineNumber })] }).functions[0]?.file).toBe(file);
  });

  it('says for whom a native function works', () => {
    const nodes = [
      ['nats', 4],
      ['mongodb', 2],
      ['nats', 1],
    ].flatMap(([name, hits]) => {
      const native = node(Number(hits), 'writeBuffer');
      const own = callerOf(native, 'write', 'node:net');
      return [native, own, callerOf(own, 'send', `file:///app/node_modules/${name}/index.js`)];
    });
    const { functions } = sharesOf({ nodes: [...nodes, node(3, '(program)')] });
    expect(functions.map(({ name, file, share }) => [name, file, Math.round(share * 10)])).toEqual([
      ['writeBuffer', 'for nats', 5],
      ['(program)', '', 3],
      ['writeBuffer', 'for mongodb', 2],
    ]);
  });

  it('names ten functions', () => {
    const nodes = Array.from({ length: 12 }, (_, index) => node(index + 1, `f${index}`, 'node:net'));
    const { functions } = sharesOf({ nodes });
    expect(functions.map(({ name }) => name).slice(0, 2)).toEqual(['f11', 'f10']);
    expect(functions).toHaveLength(10);
    expect(total(functions)).toBeCloseTo(75 / 78);
  });

  it('is nothing where nothing was done', () => {
    expect(sharesOf({ nodes: [node(9, '(idle)')] })).toEqual({ samples: 0, parts: [], functions: [] });
  });
});
