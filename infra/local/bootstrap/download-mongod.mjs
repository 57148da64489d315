// Fetches the current mongod into the folder given, by the library's own knowledge of systems and versions.
import { MongoBinary } from 'mongodb-memory-server-core';

await MongoBinary.getPath({ downloadDir: process.argv[2] });
