import type { Random } from '@joblisting/testing';

const words =
  'a team of people who care about what they do and how it helps others you will plan the work with colleagues from other departments and take part in projects from the first idea to the day on which they are used we look for experience in the field an eye for detail and the will to learn our offices are close to the station with flexible hours paid training a pension plan and thirty days of leave'.split(
    ' ',
  );

/** A sentence of ten to twenty words. */
export function sentence(random: Random): string {
  const text = Array.from({ length: 10 + random.below(11) }, () => random.pick(words)).join(' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** A description of about `length` characters with paragraphs, a list, bold text and a link. */
export function description(random: Random, format: 'text' | 'html', length: number): string {
  const isHtml = format === 'html';
  const parts: string[] = [];
  for (let size = 0; size < length;) {
    const kind = parts.length % 3;
    const text = sentence(random);
    const part = isHtml ? element(kind, text, sentence(random)) : text;
    parts.push(part);
    size += part.length;
  }
  return parts.join(isHtml ? '\n' : '\n\n');
}

function element(kind: number, one: string, other: string): string {
  if (kind === 0) return `<p><strong>${one}</strong> ${other}</p>`;
  if (kind === 1) return `<ul><li>${one}</li><li>${other}</li></ul>`;
  return `<p>${one} <a href="https://careers.example.com/about?from=job">${other}</a></p>`;
}
