export const RESEARCHER_NAME = 'Researcher';

export const researcherCard = {
  name: RESEARCHER_NAME,
  description:
    'Answers questions about the planets, the climate of cities, or your own table. It hires another agent for the ' +
    'statistics, with your approval, and bases its answer on what that agent found.',
  version: '1.0.0',
  defaultInputModes: ['text/plain', 'text/csv'],
  defaultOutputModes: ['text/markdown', 'application/json'],
  skills: [
    {
      id: 'answer',
      name: 'Answer a question with figures',
      description:
        'Looks up figures on planets and on the temperature and rain of Rome, Oslo, Cairo and Singapore, has them analyzed by ' +
        'an agent it hires, and answers with the numbers, what stands out, and who found it.',
      tags: ['research', 'planets', 'climate'],
      examples: [
        'Which of the planets is the largest, and which is the coldest?',
        'How warm is Oslo compared with Singapore?',
        'Where does it rain most?',
      ],
    },
  ],
};
