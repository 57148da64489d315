import { ServiceError } from '@joblisting/contracts';
import type { KeptAnswers } from '@joblisting/service-kit';

/**
 * Kept answers, where one that an erasure has emptied is a refusal: to replay it would show what was erased, and to
 * take the application again would undo the erasure. Rejects with `application_not_found`.
 */
export const answersOfErased = (answers: KeptAnswers): KeptAnswers => ({
  find: async (key) => {
    const answer = await answers.find(key);
    if (answer && answer.data.length === 0) {
      throw new ServiceError('application_not_found', 'The application has been erased.');
    }
    return answer;
  },
});
