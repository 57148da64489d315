import { type Answer, type Client, createClient, multipart, pdf } from '@joblisting/testing/system';
import type { Random } from '../random.ts';
import { isReplay } from './creation.ts';
import { untilDecided } from './decided.ts';

/** An application that was acknowledged. */
export interface SentApplication {
  readonly id: number;
  readonly jobId: number;
  readonly email: string;
}

interface Submission {
  readonly jobId: number;
  readonly email: string;
  readonly send: () => Promise<Answer>;
}

const CREATED_OR_REPEATED = new Set([200, 201]);

/**
 * Submits applications, as the server of a search site does. `onOdd` gets the answers that the API does not promise.
 */
export function applicationSender(origin: string, secret: string, onOdd: (what: string) => void) {
  const api = createClient(origin, { consumer: secret });
  const sent: { readonly application: SentApplication; readonly submission: Submission }[] = [];
  const counts = { repeated: 0 };

  const decide = async ({ email, send }: Submission): Promise<Answer> => {
    const { answer } = await untilDecided(send, { onOdd });
    if (!CREATED_OR_REPEATED.has(answer.status)) {
      onOdd(`${email}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    return answer;
  };

  return {
    sent: (): SentApplication[] => sent.map(({ application }) => application),
    counts,

    /** Submits one application, with a file in every third. */
    submit: async (random: Random, index: number, jobIds: readonly number[]): Promise<void> => {
      const submission = newSubmission(api, random, index, random.pick(jobIds));
      const answer = await decide(submission);
      const { jobId, email } = submission;
      const id = Number(answer.json?.data?.id);
      sent.push({ application: { id, jobId, email }, submission });
    },

    /** Sends an earlier application again, which must be answered as the first one. */
    repeat: async (random: Random): Promise<void> => {
      if (sent.length === 0) return;
      const { application, submission } = random.pick(sent);
      const answer = await decide(submission);
      counts.repeated += 1;
      const isFirst = answer.json?.data?.id === application.id;
      if (!isFirst || (answer.status === 201 && !isReplay(answer))) {
        onOdd(`${submission.email} sent again: ${answer.status} ${String(answer.json?.data?.id)}`);
      }
    },
  };
}

/** One application however often it is sent: half by referenceId, half by Idempotency-Key. */
function newSubmission(api: Client, random: Random, index: number, jobId: number): Submission {
  const email = `applicant-${index}@example.com`;
  const isKeyed = random.chance(0.5);
  const body = {
    applicant: { name: `Applicant ${index}`, email },
    coverLetter: 'I would like to work for you.',
    ...(!isKeyed && { referenceId: `application-${index}` }),
  };
  const headers: Record<string, string> = isKeyed ? { 'Idempotency-Key': crypto.randomUUID() } : {};
  const path = `/jobs/${jobId}/applications`;
  const send = async (): Promise<Answer> => {
    if (index % 3 !== 0) return api.post(path, body, { headers });
    const form = await multipart(body, [{ name: 'cv.pdf', content: pdf() }]);
    return api.send(path, { ...form, headers });
  };
  return { jobId, email, send };
}
