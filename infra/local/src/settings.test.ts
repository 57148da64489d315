import { describe, expect, it } from '@jest/globals';
import { Problem } from '../bootstrap/terminal.mjs';
import { readSettings } from './settings.ts';

describe('readSettings', () => {
  it('listens on loopback and stores data in .data by default', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      sitePort: 8090,
      searchUrl: 'http://localhost:8090',
      dataDir: expect.stringMatching(/[\\/]\.data$/),
      clockOffsetMs: 0,
      mongodbUri: undefined,
      natsUrl: undefined,
      tracesUrl: undefined,
      mail: 'files',
    });
  });

  it.each([
    [{ PORT: '9000' }, { port: 9000, publicUrl: 'http://localhost:9000' }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', publicUrl: 'http://localhost:8080' }],
    [{ HOST: '192.0.2.7' }, { publicUrl: 'http://192.0.2.7:8080' }],
    [{ HOST: '2001:db8::7' }, { publicUrl: 'http://[2001:db8::7]:8080' }],
    [{ PUBLIC_URL: 'https://jobs.example/api/' }, { publicUrl: 'https://jobs.example/api' }],
    [{ DATA_DIR: '/somewhere' }, { dataDir: '/somewhere' }],
    [{ CLOCK_OFFSET_MS: '-43200000' }, { clockOffsetMs: -43_200_000 }],
    [{ PORT: '', LOG_LEVEL: '' }, { port: 8080 }],
    [{ MONGODB_URI: 'mongodb://a:1,b:2/?replicaSet=rs' }, { mongodbUri: 'mongodb://a:1,b:2/?replicaSet=rs' }],
    [{ NATS_URL: 'nats://a:1,nats://b:2' }, { natsUrl: 'nats://a:1,nats://b:2' }],
    [{ SMTP_URL: 'smtp://localhost:1025' }, { mail: 'server' }],
    [{ SMTP_URL: 'smtp://localhost:1025', MAIL: 'off' }, { mail: 'off' }],
    [{ MAIL: '/var/mail/ann' }, { mail: 'files' }],
  ])('reads %j', (environment, expected) => {
    expect(readSettings(environment)).toMatchObject(expected);
  });

  it.each([
    [{ PORT: '0' }, 'PORT is "0": expected a whole number from 1 to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536": expected a whole number from 1 to 65535.'],
    [{ PORT: '80 80' }, 'PORT is "80 80": expected a whole number from 1 to 65535.'],
    [
      { CLOCK_OFFSET_MS: '1h' },
      'CLOCK_OFFSET_MS is "1h": expected a whole number from -8000000000000000 to 8000000000000000.',
    ],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL is "loud": expected one of fatal, error, warn, info, debug, trace, silent.',
    ],
    [
      { CLOCK_OFFSET_MS: '1', NODE_ENV: 'production' },
      'CLOCK_OFFSET_MS is for trials and not allowed with NODE_ENV=production.',
    ],
    [
      { PUBLIC_URL: 'localhost:8080' },
      'PUBLIC_URL is not a valid address: expected http://... or https://....',
    ],
    [
      { MONGODB_URI: 'http://x' },
      'MONGODB_URI is not a valid address: expected mongodb://... or mongodb+srv://....',
    ],
    [{ NATS_URL: '127.0.0.1:4222' }, 'NATS_URL is not a valid address: expected nats://... or tls://....'],
  ])('rejects %j', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(new Problem(message));
  });

  it('reports every wrong variable in its own line', () => {
    const environment = {
      PORT: '99999',
      PUBLIC_URL: 'nope',
      CLOCK_OFFSET_MS: 'x',
      MONGODB_URI: 'foo',
      LOG_LEVEL: 'loud',
    };
    expect(() => readSettings(environment)).toThrow(
      /^PORT is .*\.\nPUBLIC_URL is .*\.\nCLOCK_OFFSET_MS is .*\.\nMONGODB_URI is .*\.\nLOG_LEVEL is .*\.$/,
    );
  });

  it('does not repeat an address, which may contain a password', () => {
    expect(() => readSettings({ MONGODB_URI: 'secret@x' })).not.toThrow(/secret/);
  });
});
