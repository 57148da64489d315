import { describe, expect, it } from '@jest/globals';
import { mongo as driver } from 'mongoose';
import { refusalOfDatabaseError } from './database-errors.ts';

const bulk = (error: Error) => new driver.MongoBulkWriteError(error, {} as never);
const network = new driver.MongoNetworkError('connection 1 closed');
const notPrimary = new driver.MongoServerError({ message: 'not primary', code: 10_107 });

describe('refusalOfDatabaseError', () => {
  it.each([
    ['a broken connection', network, 'deadline_exceeded'],
    ['a broken connection in a bulk', bulk(network), 'deadline_exceeded'],
    [
      'a bulk of which a part was not sent',
      bulk(new driver.MongoServerSelectionError('away', {} as never)),
      'deadline_exceeded',
    ],
    ['no server to send to', new driver.MongoServerSelectionError('away', {} as never), 'unavailable'],
    ['a server that is not the primary', notPrimary, 'unavailable'],
  ])('%s', (_what, error, code) => {
    expect(refusalOfDatabaseError(error)).toMatchObject({ code, cause: error });
  });

  it.each([
    ['a duplicate key', new driver.MongoServerError({ message: 'E11000', code: 11_000 })],
    ['a mistake of ours', new TypeError('x')],
    ['no error', 'text'],
  ])('leaves %s as it is', (_what, error) => {
    expect(refusalOfDatabaseError(error)).toBe(error);
  });
});
