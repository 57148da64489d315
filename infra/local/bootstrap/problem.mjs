/** Something that the person at the keyboard can mend. It is shown as one line, without a stack. */
export class Problem extends Error {}
