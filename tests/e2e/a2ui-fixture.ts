import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import * as agent03 from '../fakes/a2a03';
import type { ScriptedAgent } from '../fakes/scripted-agent';
import { history, say } from './chat-fixture';

const surfaceId = 'booking';

/** A surface for the booking of a table, with most components of the catalog. */
export const booking = [
  {
    version: 'v1.0',
    createSurface: {
      surfaceId,
      catalogId: 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json',
      dataModel: {
        people: 2,
        day: '',
        seating: ['inside'],
        wishes: { chair: false, note: '' },
        places: [
          { name: 'Trattoria Sole', stars: 4.6, kind: 'Italian' },
          { name: 'Green Bowl', stars: 4.2, kind: 'Vegan' },
        ],
      },
    },
  },
  {
    version: 'v1.0',
    updateComponents: {
      surfaceId,
      components: [
        {
          id: 'root',
          component: 'Column',
          children: ['title', 'places', 'line', 'when', 'people', 'seats', 'chair', 'note', 'terms', 'actions'],
        },
        { id: 'title', component: 'Text', text: 'Book a table', variant: 'h2' },
        { id: 'places', component: 'List', children: { componentId: 'place', path: '/places' } },
        { id: 'place', component: 'Card', child: 'placeRow' },
        { id: 'placeRow', component: 'Row', children: ['placeText', 'placeStars', 'pick'], align: 'center' },
        { id: 'placeText', component: 'Column', children: ['placeName', 'placeKind'], weight: 3 },
        { id: 'placeName', component: 'Text', text: { path: 'name' }, variant: 'h4' },
        { id: 'placeKind', component: 'Text', text: { path: 'kind' }, variant: 'caption' },
        { id: 'placeStars', component: 'Row', children: ['star', 'starText'], align: 'center' },
        { id: 'star', component: 'Icon', name: 'star' },
        {
          id: 'starText',
          component: 'Text',
          text: { call: 'formatNumber', args: { value: { path: 'stars' }, decimals: 1 } },
        },
        {
          id: 'pick',
          component: 'Button',
          child: 'pickText',
          action: { event: { name: 'menu', context: { place: { path: 'name' } } } },
        },
        { id: 'pickText', component: 'Text', text: 'Menu' },
        { id: 'line', component: 'Divider' },
        {
          id: 'when',
          component: 'DateTimeInput',
          label: 'Day',
          value: { path: '/day' },
          enableDate: true,
          checks: [{ condition: { call: 'required', args: { value: { path: '/day' } } }, message: 'Choose a day.' }],
        },
        { id: 'people', component: 'Slider', label: 'People', value: { path: '/people' }, min: 1, max: 12 },
        {
          ...{
            id: 'seats',
            component: 'ChoicePicker',
            label: 'Where',
            value: { path: '/seating' },
            displayStyle: 'chips',
          },
          options: [
            { label: 'Inside', value: 'inside' },
            { label: 'Terrace', value: 'terrace' },
          ],
        },
        { id: 'chair', component: 'CheckBox', label: 'High chair', value: { path: '/wishes/chair' } },
        { id: 'note', component: 'TextField', label: 'Note', value: { path: '/wishes/note' }, variant: 'longText' },
        { id: 'terms', component: 'Modal', trigger: 'termsTrigger', content: 'termsText' },
        { id: 'termsTrigger', component: 'Text', text: 'Cancellation terms' },
        { id: 'termsText', component: 'Text', text: 'Free until **24 hours** before.' },
        { id: 'actions', component: 'Row', children: ['book'], justify: 'end' },
        {
          ...{ id: 'book', component: 'Button', child: 'bookRow', variant: 'primary' },
          action: {
            event: {
              name: 'book',
              context: {
                day: { path: '/day' },
                people: { path: '/people' },
                seating: { path: '/seating' },
                wishes: { path: '/wishes' },
              },
            },
          },
        },
        { id: 'bookRow', component: 'Row', children: ['bookIcon', 'bookText'] },
        { id: 'bookIcon', component: 'Icon', name: 'event' },
        { id: 'bookText', component: 'Text', text: 'Book' },
      ],
    },
  },
];

/** What the agent sends after the booking: the surface shows a confirmation. */
const booked = [
  {
    version: 'v1.0',
    updateComponents: {
      surfaceId,
      components: [
        { id: 'root', component: 'Column', children: ['done', 'summary'] },
        { id: 'done', component: 'Text', text: 'Your table is booked', variant: 'h2' },
        {
          ...{ id: 'summary', component: 'Text' },
          text: {
            call: 'formatString',
            args: { value: `\${/people} people, \${formatDate(value: \${/day}, format: 'd MMM yyyy')}` },
          },
        },
      ],
    },
  },
  { version: 'v1.0', updateDataModel: { surfaceId, path: '/people', value: 4 } },
  { version: 'v1.0', updateDataModel: { surfaceId, path: '/day', value: '2026-12-24' } },
];

/** The agent sends this surface and waits; after an action it sends `next` and ends. */
export function showsSurface(agent: ScriptedAgent, first: unknown, next: unknown = booked): void {
  agent.answer(({ received, result, end }) => {
    const { taskId } = received.params.message ?? {};
    const id = taskId ?? randomUUID();
    result(agent03.task(id, 'working'));
    const data = taskId ? next : first;
    const parts = [{ kind: 'data', data, metadata: { mimeType: 'application/a2ui+json' } }];
    const message = { kind: 'message', messageId: randomUUID(), role: 'agent', parts, taskId: id };
    const status = { state: taskId ? 'completed' : 'input-required', message };
    result({ kind: 'status-update', taskId: id, contextId: 'agent-context', status, final: true });
    end();
  });
}

/** Opens a conversation in which the agent has sent a surface. */
export async function openSurface(page: Page, slug: string): Promise<Locator> {
  await page.goto(`/chat/new?agent=${slug}`);
  await say(page, 'Book a table');
  await page.waitForURL(/\/chat\/cnv_/);
  return history(page).getByRole('figure', { name: /^View from / });
}
