import type { AgentCard } from '@a2a-js/sdk';
import { createCard } from '../shared/card';
import type { AgentEnvironment } from '../shared/environment';

export function analystCard(environment: AgentEnvironment): AgentCard {
  return createCard(
    {
      name: 'CSV Analyst',
      description:
        'Profiles a CSV file, attached or pasted: types, gaps, averages, outliers and the most closely related numbers. Writes its ' +
        'findings while it works and hands over a table, a chart and a report to download.',
      version: '1.0.0',
      organization: 'Parley',
      inputModes: ['text/plain', 'text/csv', 'text/tab-separated-values'],
      outputModes: ['text/markdown', 'application/json'],
      skills: [
        {
          id: 'profile',
          name: 'Chart a spreadsheet',
          description:
            'Counts, means, medians, ranges, missing and most frequent values per column, outliers, and the two numeric columns ' +
            'that depend on each other most. Reads commas, semicolons, tabs, quotes, and both ways to write decimals.',
          tags: ['csv', 'data', 'statistics', 'analysis', 'chart'],
          examples: ['Profile the sample table', 'What stands out in the sample table?'],
        },
      ],
    },
    environment,
  );
}
