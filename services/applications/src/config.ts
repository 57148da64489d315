import { RETENTION_DAYS_MAX } from '@joblisting/contracts';
import { type ConfigOf, ConfigError } from '@joblisting/service-kit';
import { Type } from 'typebox';

export const DEFAULT_SENDER = 'Job Listing Service <jobs@localhost>';

/** What this service reads from the environment besides the common settings. */
export const applicationsConfig = {
  PUBLIC_URL: Type.String({
    default: 'http://localhost:8080',
    description: 'Public address of the gateway: e-mails link to applications under it.',
  }),
  MAIL: Type.String({
    default: 'on',
    description: '`off`: copies stay queued. Any other value is on: login shells set it to a mailbox.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      description:
        'Mail server with user and password, `smtp://` or `smtps://`. Required with NODE_ENV=production, unless MAIL=off.',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      pattern: String.raw`^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$`,
      description: `Sender of the e-mails. The domain of their Message-ID is its domain. Required as SMTP_URL is. Default: ${DEFAULT_SENDER}.`,
    }),
  ),
  MAIL_DIR: Type.String({
    default: '.data/mail',
    description: 'Without SMTP_URL, each e-mail becomes an .eml file in this folder.',
  }),
  MAIL_CONNECTIONS: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 16,
    description: 'E-mails that one process sends at once at most. Each can take 20 MB of memory.',
  }),
  MAIL_PER_SECOND: Type.Integer({
    default: 10,
    minimum: 1,
    description: 'E-mails that one process sends a second at most.',
  }),
  MAIL_TIMEOUT_MS: Type.Integer({
    default: 120_000,
    minimum: 100,
    description: 'How long sending one e-mail may take. If it ends without a reply, another attempt follows.',
  }),
  CLAMD_URL: Type.Optional(
    Type.String({
      pattern: String.raw`^tcp://[^/\s\[\]]+:\d+$`,
      description: 'clamd, which scans files before a copy or a download carries them. Default: no scan.',
    }),
  ),
  APPLICATION_RETENTION_DAYS: Type.Integer({
    default: 365,
    minimum: 1,
    maximum: RETENTION_DAYS_MAX,
    description: 'How long applications are kept. An operator can set other days for a company.',
  }),
};

export type ApplicationsConfig = ConfigOf<typeof applicationsConfig>;

/** Throws ConfigError with the settings that production needs and has not. */
export function checkConfig(config: ApplicationsConfig & { readonly NODE_ENV: string }): void {
  if (config.NODE_ENV !== 'production' || config.MAIL === 'off') return;
  const missing = (['SMTP_URL', 'MAIL_FROM'] as const).filter((name) => config[name] === undefined);
  if (missing.length === 0) return;
  throw new ConfigError(
    missing.map((name) => `${name} is required with NODE_ENV=production, unless MAIL=off`),
  );
}
