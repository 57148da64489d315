/** An application for a job of the demo, as POST /jobs/{id}/applications takes it. */
export type DemoApplication = {
  /** A second seeding recognizes it by this. */
  readonly referenceId: string;
  readonly name: string;
  /** At example.com. */
  readonly email: string;
  readonly phone?: string;
  readonly location?: string;
  readonly coverLetter: string;
  readonly answers?: readonly { readonly question: string; readonly answer: string }[];
  /** The lines of a PDF that goes with it. */
  readonly cv?: readonly string[];
};

const question = 'When could you start?';

/** Three invented people who apply for the same job. */
export const frontendApplications: readonly DemoApplication[] = [
  {
    referenceId: 'demo-application-1',
    name: 'Priya Raman',
    email: 'priya.raman@example.com',
    phone: '+1 416 555 0134',
    location: 'Toronto, Ontario',
    coverLetter:
      'I rebuilt the checkout of a rail operator, where most travellers had two bars of signal.\n\n' +
      'I would like to do the same for your booking flow.',
    answers: [{ question, answer: 'On the first of next month.' }],
  },
  {
    referenceId: 'demo-application-2',
    name: 'Tomás Ferreira',
    email: 'tomas.ferreira@example.com',
    location: 'Hamilton, Ontario',
    coverLetter: 'My CV is attached. I care most about pages that a screen reader can use.',
    answers: [{ question, answer: 'After four weeks of notice.' }],
    cv: [
      'Tomás Ferreira',
      'Frontend engineer, Hamilton, Ontario',
      '',
      '2021 to now: web team of a ferry company',
      '2017 to 2021: accessibility consultant',
      'Languages: Portuguese, English',
    ],
  },
  {
    referenceId: 'demo-application-3',
    name: 'Mei Lin Chow',
    email: 'mei.lin.chow@example.com',
    phone: '+1 647 555 0178',
    coverLetter: 'I am a designer who became an engineer. I measure what I build.',
  },
];
