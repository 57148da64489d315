import { Type } from 'typebox';

export const config = {
  LAST_USED_EVERY_MS: Type.Integer({
    default: 60_000,
    minimum: 10,
    description: 'How often it is written down which keys were used.',
  }),
};
