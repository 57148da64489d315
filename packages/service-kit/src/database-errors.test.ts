import { ServiceError } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import { mongo as driver } from 'mongoose';
import { refusalOfDatabaseError, refusalOfUncommitted } from './database-errors.ts';

const bulk = (error: Error) => new driver.MongoBulkWriteError(error, {} as never);
const network = new driver.MongoNetworkError('connection 1 closed');
const answered = (code: number, errorLabels: string[] = []) =>
  new driver.MongoServerError({ message: 'said by the server', code, errorLabels });
const { HandshakeError, RetryableError, SystemOverloadedError } = driver.MongoErrorLabel;
const OVERLOADED = [SystemOverloadedError, RetryableError];
const labelled = (error: driver.MongoError, labels: readonly string[]) => {
  for (const label of labels) error.addErrorLabel(label);
  return error;
};
const notConnected = labelled(new driver.MongoNetworkError('no connection was made'), OVERLOADED);
const concern = (code: number, errorLabels: string[] = []) =>
  new driver.MongoWriteConcernError({ ok: 1, errorLabels, writeConcernError: { code, errmsg: 'not all' } });

describe('refusalOfDatabaseError', () => {
  it.each([
    ['a broken connection', network, 'deadline_exceeded'],
    [
      'a socket that broke while it took a command',
      Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
      'deadline_exceeded',
    ],
    ['a broken connection in a bulk', bulk(network), 'deadline_exceeded'],
    [
      'a bulk of which a part was not sent',
      bulk(new driver.MongoServerSelectionError('away', {} as never)),
      'deadline_exceeded',
    ],
    ['a bulk of which a part was refused', bulk(answered(10_107)), 'deadline_exceeded'],
    ['no server to send to', new driver.MongoServerSelectionError('away', {} as never), 'unavailable'],
    ['a server that is not the primary', answered(10_107), 'unavailable'],
    ['a server that does not know yet what the majority has', answered(134), 'unavailable'],
    ['a snapshot that is gone', answered(246), 'unavailable'],
    ['a cursor that was lost with its server', answered(43), 'unavailable'],
    ['a majority that was lost with its primary', concern(10_107), 'deadline_exceeded'],
    ['a connection that was never made', notConnected, 'unavailable'],
    [
      'a connection that broke before it knew who asks',
      labelled(new driver.MongoNetworkError('connection 1 closed'), [HandshakeError]),
      'unavailable',
    ],
    ['a server that lets no more commands in', answered(462, OVERLOADED), 'overloaded'],
    ['a bulk of which a part was not let in', bulk(answered(462, OVERLOADED)), 'deadline_exceeded'],
    ['a bulk of which a part found no connection', bulk(notConnected), 'deadline_exceeded'],
    ['a server that has too much to do to go on', answered(112, OVERLOADED), 'deadline_exceeded'],
    ['a majority that has too much to do', concern(462, OVERLOADED), 'deadline_exceeded'],
    ['a server that stops', answered(91), 'deadline_exceeded'],
    ['a server that needed too long', answered(262), 'deadline_exceeded'],
  ])('%s', (_what, error, code) => {
    expect(refusalOfDatabaseError(error)).toMatchObject({ code, cause: error });
  });

  it.each([
    ['a broken connection', network, 'database_away'],
    ['no server to send to', new driver.MongoServerSelectionError('away', {} as never), 'database_away'],
    ['a server that stops', answered(91), 'database_away'],
    ['a server that lets no more commands in', answered(462, OVERLOADED), 'database_overloaded'],
    ['a server that has too much to do to go on', answered(112, OVERLOADED), 'database_overloaded'],
  ])('gives the reason of %s', (_what, error, reason) => {
    expect(refusalOfDatabaseError(error)).toMatchObject({ reason });
  });

  it.each([
    ['a duplicate key', new driver.MongoServerError({ message: 'E11000', code: 11_000 })],
    ['a mistake of ours', new TypeError('x')],
    ['no error', 'text'],
  ])('leaves %s as it is', (_what, error) => {
    expect(refusalOfDatabaseError(error)).toBe(error);
  });
});

describe('refusalOfUncommitted', () => {
  it.each([
    ['a broken connection', network, 'unavailable'],
    ['a server that stops', answered(91), 'unavailable'],
    ['no server to send to', new driver.MongoServerSelectionError('away', {} as never), 'unavailable'],
    ['a server that lets no more commands in', answered(462, OVERLOADED), 'overloaded'],
  ])('%s', (_what, error, code) => {
    expect(refusalOfUncommitted(error)).toMatchObject({ code, cause: error });
  });

  it.each([
    ['a refusal', new ServiceError('deadline_exceeded')],
    ['a mistake of ours', new TypeError('x')],
  ])('leaves %s as it is', (_what, error) => {
    expect(refusalOfUncommitted(error)).toBe(error);
  });
});
