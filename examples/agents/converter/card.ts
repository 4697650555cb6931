import { RATES_DATE } from './rates';

export const converterCard = {
  name: 'Converter',
  description:
    'Converts units, currencies, dates and times of day between places, from plain words. Asks when something is missing. ' +
    'Needs no public URL: it connects to Parley.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown'],
  skills: [
    {
      id: 'units',
      name: 'Convert units',
      description: 'Lengths, weights, temperatures, volumes, areas, speeds, durations, data and energy.',
      tags: ['convert', 'units', 'measures'],
      examples: ['12 miles to km', 'How many cups are in 2 liters?', '350 °F in celsius'],
    },
    {
      id: 'currencies',
      name: 'Convert currencies',
      description: `Thirteen currencies at fixed, rounded rates of ${RATES_DATE}, for a rough idea.`,
      tags: ['convert', 'currency', 'money'],
      examples: ['50 USD in EUR', '£20 to yen'],
    },
    {
      id: 'dates',
      name: 'Dates and time zones',
      description: 'The time in another city, with daylight saving; days between two dates; weekdays.',
      tags: ['convert', 'dates', 'time zones'],
      examples: ['15:30 in Rome to Tokyo', 'Days between 1 May 2026 and 24 December 2026', '90 days after 2026-11-26'],
    },
  ],
};
