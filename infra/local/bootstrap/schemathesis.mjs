import { findPythonTools } from './python.mjs';

/**
 * schemathesis, fetched once for each version of Python.
 * @returns {Promise<[string, string, string]>} the interpreter, the program, the folder of its modules
 */
export const findSchemathesis = (steps) =>
  findPythonTools(steps, {
    name: 'schemathesis',
    requirements: 'schemathesis.txt',
    program: 'schemathesis',
    bytes: 13_200_000,
    oldestMinor: 11,
  });
