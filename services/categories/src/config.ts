import { Type } from 'typebox';

export const config = {
  SWEEP_EVERY_MS: Type.Integer({
    default: 30_000,
    minimum: 10,
    description: 'How often references of jobs to categories are checked that are due.',
  }),
  FINISH_RENAMES_EVERY_MS: Type.Integer({
    default: 2000,
    minimum: 10,
    description: 'How often renames are looked for that jobs may not all show yet.',
  }),
};
