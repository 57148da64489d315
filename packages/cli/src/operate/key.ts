import { INT32_MAX, listKeys, revokeKey, rotateKey } from '@joblisting/contracts';
import { Command } from 'commander';
import { integer } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { issueKeyCommand } from './issue-key.ts';
import { issuedText, keysText } from './key-text.ts';
import { operate, operatorCommand } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

const MAX_GRACE_SECONDS = 90 * 24 * 3600;
const keyId = integer(1, INT32_MAX);

interface RotateFlags extends OperatorFlags {
  readonly grace?: number;
}

export function keyProgram(terminal: Terminal): Command {
  const rotate = operatorCommand('rotate', 'Add a new secret to a key; the old one expires later')
    .argument('<id>', 'the key', keyId)
    .option(
      '--grace <seconds>',
      'how long the old secret stays valid (default: a day; 0: ends now)',
      integer(0, MAX_GRACE_SECONDS),
    )
    .action((id: number, flags: RotateFlags) => {
      const grace = flags.grace === undefined ? {} : { graceSeconds: flags.grace };
      return operate(
        terminal,
        flags,
        (request) => request(rotateKey, { id }, grace),
        (issued) => issuedText(issued, terminal.now()),
      );
    });
  const revoke = operatorCommand('revoke', 'Revoke a key with all its secrets; takes effect within 5 seconds')
    .argument('<id>', 'the key', keyId)
    .action((id: number, flags: OperatorFlags) =>
      operate(
        terminal,
        flags,
        (request) => request(revokeKey, { id }),
        (key) => keysText([key], terminal.now()),
      ),
    );
  const list = operatorCommand('list', 'List the keys by id, without their secrets').action(
    (flags: OperatorFlags) =>
      operate(
        terminal,
        flags,
        (request) => request(listKeys, {}),
        (keys) => keysText(keys, terminal.now()),
      ),
  );
  return new Command('key')
    .description('API keys')
    .addCommand(issueKeyCommand(terminal))
    .addCommand(rotate)
    .addCommand(revoke)
    .addCommand(list);
}
