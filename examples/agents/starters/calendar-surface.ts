import { freeDays, type Schedule } from './calendar-wish';

/** The extension of A2A by which Parley's chat announces that it shows surfaces (A2UI 1.0). */
export const A2UI = {
  uri: 'https://a2ui.org/a2a-extension/a2ui/v1.0',
  description: 'Shows the free times as a surface.',
  required: false,
  params: { supportedCatalogIds: ['https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'] },
};

const MEDIA_TYPE = 'application/a2ui+json';
const surfaceId = 'booking';
const DAYS = 3;

/** Returns true if the client shows surfaces of this version. */
export function showsSurfaces(metadata: Record<string, unknown> = {}): boolean {
  return metadata.a2uiRendererCapabilities !== undefined;
}

/** Returns a surface with the next free times: a tab for each day, the length, and a button. */
export function bookingSurface(now: Date, schedule: Schedule): object {
  const days = freeDays(now, schedule).slice(0, DAYS);
  const chips = { component: 'ChoicePicker', displayStyle: 'chips' };
  const required = (path: string, message: string) => ({
    checks: [{ condition: { call: 'required', args: { value: { path } } }, message }],
  });
  const components = [
    { id: 'root', component: 'Column', children: ['days', 'length', 'check'] },
    { id: 'days', component: 'Tabs', tabs: days.map(({ title }, index) => ({ title, child: `day${index}` })) },
    ...days.map(({ times }, index) => ({
      ...{ id: `day${index}`, ...chips, label: 'Start (UTC)', options: times, value: { path: '/start' } },
      ...required('/start', 'Choose a time.'),
    })),
    {
      ...{ id: 'length', ...chips, label: 'Length', value: { path: '/minutes' } },
      options: [30, 60, 90, 120].map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` })),
    },
    {
      ...{ id: 'check', component: 'Button', child: 'checkText', variant: 'primary' },
      action: { event: { name: 'check', context: { start: { path: '/start' }, minutes: { path: '/minutes' } } } },
    },
    { id: 'checkText', component: 'Text', text: 'Check the room' },
  ];
  const createSurface = {
    ...{ surfaceId, catalogId: A2UI.params.supportedCatalogIds[0], components },
    dataModel: { start: [], minutes: ['60'] },
  };
  return { data: [{ version: 'v1.0', createSurface }], mediaType: MEDIA_TYPE, metadata: { mimeType: MEDIA_TYPE } };
}

/** Returns the action on the surface in words, as a caller would write them; empty for other data. */
export function wordsOfAction(data: unknown): string {
  const [message] = [data].flat();
  const { start, minutes } = Object(Object(Object(message).action).context) as Record<string, unknown>;
  const [time] = [start].flat();
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(String(time)) ?? [];
  return day && clock ? `${day} at ${clock} for ${Number([minutes].flat()[0]) || 60} minutes` : '';
}
