import type mongoose from 'mongoose';

type Mongoose = typeof mongoose;

let loaded: Mongoose | undefined;

/** Loads Mongoose and the driver, once. A service without a database spares itself their 20 MB, and a part of its start. */
export async function loadMongoose(): Promise<Mongoose> {
  loaded ??= (await import('mongoose')).default;
  return loaded;
}

/** The driver's own classes. Undefined where no database was ever connected to: then nothing is of the driver. */
export const knownDriver = (): Mongoose['mongo'] | undefined => loaded?.mongo;

/** The same for whoever has a connection. */
export function driver(): Mongoose['mongo'] {
  if (!loaded) throw new Error('There is no connection to a database.');
  return loaded.mongo;
}
