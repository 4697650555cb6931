import { randomUUID } from 'node:crypto';
import * as agent03 from '../fakes/a2a03';
import { booking, openSurface, showsSurface } from './a2ui-fixture';
import { expect, field, history, test } from './chat-fixture';
import { violationsOn } from './expect-no-violations';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    const isNightly = colorScheme === 'dark' || width > 360;
    test.describe(`a booking surface, ${colorScheme}, ${width} px`, { tag: isNightly ? '@nightly' : [] }, () => {
      test.use({ colorScheme, viewport: { width, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

      test('is filled in and answered by keyboard alone, and has no accessibility violations', async ({
        page,
        fixture,
      }) => {
        showsSurface(fixture.agent, booking);
        const surface = await openSurface(page, fixture.slug);
        await expect(surface.getByText('Book a table')).toBeVisible();
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/open-${colorScheme}-${width}.png`, fullPage: false });
        const { keyboard } = page;
        const book = surface.getByRole('button', { name: 'Book' });
        await book.focus();
        await keyboard.press('Enter');
        await expect(surface.getByText('Choose a day.')).toBeVisible();
        const day = surface.getByLabel('Day', { exact: true });
        await expect(day).toBeFocused();
        expect(await violationsOn(page), 'fault').toEqual([]);
        await keyboard.type('12242026');
        await expect(day).toHaveValue('2026-12-24');
        await expect(surface.getByText('Choose a day.')).toHaveCount(0);
        const tabTo = async (name: string, role: 'slider' | 'radio' | 'checkbox' | 'textbox' | 'button') => {
          const target = surface.getByRole(role, { name, exact: true });
          while (!(await target.evaluate((one) => one === document.activeElement))) await keyboard.press('Tab');
        };
        await tabTo('People', 'slider');
        await keyboard.press('ArrowRight');
        await keyboard.press('ArrowRight');
        await tabTo('Inside', 'radio');
        await keyboard.press('ArrowRight');
        await tabTo('High chair', 'checkbox');
        await keyboard.press('Space');
        await tabTo('Note', 'textbox');
        await keyboard.type('Window');
        await tabTo('Cancellation terms', 'button');
        await keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: /^View from / });
        await expect(dialog.getByText('24 hours')).toBeVisible();
        expect(await violationsOn(page), 'dialog').toEqual([]);
        await keyboard.press('Escape');
        await tabTo('Book', 'button');
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/filled-${colorScheme}-${width}.png` });
        expect(await violationsOn(page), 'filled in').toEqual([]);
        await keyboard.press('Enter');
        await expect(history(page).getByText('Your table is booked')).toBeVisible();
        await expect(history(page).getByText('4 people, 24 Dec 2026')).toBeVisible();
        const message = fixture.agent.messages.at(-1)?.params.message;
        expect(message?.parts).toEqual([
          {
            kind: 'data',
            data: {
              version: 'v1.0',
              action: {
                ...{ name: 'book', surfaceId: 'booking', sourceComponentId: 'book', timestamp: expect.any(String) },
                context: {
                  ...{ day: '2026-12-24', people: 4, seating: ['terrace'] },
                  wishes: { chair: true, note: 'Window' },
                },
              },
            },
            metadata: { mimeType: 'application/a2ui+json', 'parley.view': 'action', 'parley.label': 'Book' },
          },
        ]);
        expect(await violationsOn(page), 'answered').toEqual([]);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/done-${colorScheme}-${width}.png` });
      });
    });
  }
}

const script = '<img src=https://evil.example/x onerror=alert(1)><script>alert(1)</script>';
const create = (components: object[], dataModel: object = {}) => [
  { version: '1.0', createSurface: { surfaceId: 's', components, dataModel } },
];
const root = (children: unknown) => ({ id: 'root', component: 'Column', children });
const cards = Array.from({ length: 300 }, (_, index) => ({
  ...{ id: index === 0 ? 'root' : `c${index}`, component: 'Card', child: `c${index + 1}` },
}));
const wide = Array.from({ length: 30 }, (_, index) => ({
  ...{ id: index === 0 ? 'root' : `c${index}`, component: 'Row' },
  children: Array.from({ length: 30 }, () => `c${index + 1}`),
}));

/** Surfaces that try to break the page, and a text by which each is recognized. */
const corpus: [string, unknown, RegExp][] = [
  [
    'a cycle',
    create([
      root(['a', 'b']),
      { id: 'a', component: 'Card', child: 'root' },
      { id: 'b', component: 'Text', text: 'after' },
    ]),
    /after/,
  ],
  [
    '2,500 components',
    create([
      root(['t']),
      { id: 't', component: 'Text', text: 'many' },
      ...Array.from({ length: 2_500 }, (_, n) => ({ id: `x${n}`, component: 'Text' })),
    ]),
    /isn’t shown/,
  ],
  ['depth', create(cards), /isn’t shown/],
  ['width', create(wide), /isn’t shown/],
  [
    'a long list',
    create([root({ componentId: 't', path: '/l' }), { id: 't', component: 'Text', text: { path: 'n' } }], {
      l: Array.from({ length: 3_000 }, (_, n) => ({ n: `row ${n}` })),
    }),
    /row 42/,
  ],
  [
    'prototypes',
    [
      ...create([root(['t']), { id: 't', component: 'Text', text: { path: '/__proto__/x' } }]),
      { version: '1.0', updateDataModel: { surfaceId: 's', path: '/__proto__/x', value: 'polluted' } },
    ],
    /isn’t shown/,
  ],
  [
    'an update after deletion',
    [
      ...create([root(['t']), { id: 't', component: 'Text', text: 'gone' }]),
      { version: '1.0', deleteSurface: { surfaceId: 's' } },
      { version: '1.0', updateComponents: { surfaceId: 's', components: [root([])] } },
    ],
    /has closed this view/,
  ],
  [
    'bidirectional text',
    create([
      root(['t', 'b']),
      { id: 't', component: 'Text', text: 'pay \u202egpj.exe' },
      { id: 'b', component: 'Button', child: 't', action: { event: { name: 'x' } } },
    ]),
    /U\+202E/,
  ],
  [
    'markup, addresses and code',
    create([
      { ...root(['t', 'm', 'i', 'v', 'u', 'f', 'l', 'h', 'p']), style: 'position:fixed', className: 'x' },
      { id: 't', component: 'Text', text: script },
      { id: 'm', component: 'Text', text: `# ${script} [x](javascript:alert(1)) ![y](https://evil.example/y.png)` },
      { id: 'i', component: 'Image', url: 'https://evil.example/i.svg', description: script },
      { id: 'v', component: 'Video', url: 'javascript:alert(1)', posterUrl: 'https://evil.example/p' },
      { id: 'u', component: 'Html', html: script, text: 'fallback', src: 'https://evil.example/frame' },
      { id: 'f', component: 'TextField', label: script, value: { path: '/f' }, validationRegexp: '^(a+)+$' },
      {
        id: 'l',
        component: 'Button',
        child: 't',
        action: { functionCall: { call: 'openUrl', args: { url: 'javascript:alert(1)' } } },
      },
      { id: 'h', component: 'Icon', name: { svgPath: 'M0 0' } },
      { id: 'p', component: 'TextField', label: 'Password', value: { path: '/p' }, variant: 'obscured' },
    ]),
    /fallback/,
  ],
  [
    'messages of no version',
    [{ createSurface: 5 }, null, 'x', { version: 'v99', createSurface: { surfaceId: 's' } }],
    /isn’t shown/,
  ],
];

test('hostile surfaces run nothing, reach no other host, send nothing, and leave the page usable', async ({
  page,
  fixture,
}) => {
  const otherHosts: string[] = [];
  page.on('request', (request) => {
    if (!/^(http:\/\/localhost|data:|blob:)/.test(request.url())) otherHosts.push(request.url());
  });
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('dialog', (dialog) => {
    failures.push('dialog');
    void dialog.dismiss();
  });
  await page.exposeFunction('reportFault', (fault: string) => failures.push(fault));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      Reflect.get(window, 'reportFault')(effectiveDirective),
    ),
  );
  for (const [name, data, text] of corpus) {
    showsSurface(fixture.agent, data);
    await openSurface(page, fixture.slug);
    await expect(history(page).getByText(text).first(), name).toBeVisible();
    await expect(field(page), name).toBeEnabled();
  }
  expect(await page.evaluate(() => ({}) as Record<string, unknown>)).toEqual({});
  expect({ otherHosts, failures }).toEqual({ otherHosts: [], failures: [] });
  expect(fixture.agent.received.filter(({ params }) => params?.message)).toHaveLength(corpus.length);
});

test('updates appear while the agent works, and a reload shows the same surface', async ({ page, fixture }) => {
  let finish: () => void = () => undefined;
  fixture.agent.answer(({ received, result, end }) => {
    // Parley may ask about the tasks of earlier tests.
    if (!received.params.message) return end();
    const id = randomUUID();
    const say = (data: object, state = 'working') => {
      const parts = [{ kind: 'data', data, metadata: { mimeType: 'application/a2ui+json' } }];
      const message = { kind: 'message', messageId: randomUUID(), role: 'agent', parts, taskId: id };
      result({
        kind: 'status-update',
        taskId: id,
        contextId: 'c',
        status: { state, message },
        final: state !== 'working',
      });
    };
    const v9 = (body: object) => ({ version: 'v0.9', ...body });
    result(agent03.task(id, 'working'));
    say(v9({ createSurface: { surfaceId: 's', catalogId: 'c' } }));
    say(
      v9({
        updateComponents: {
          surfaceId: 's',
          components: [root(['a', 'later']), { id: 'a', component: 'Text', text: { path: '/n' } }],
        },
      }),
    );
    for (let n = 0; n <= 200; n++) say(v9({ updateDataModel: { surfaceId: 's', path: '/n', value: `step ${n}` } }));
    finish = () => {
      say(
        v9({ updateComponents: { surfaceId: 's', components: [{ id: 'later', component: 'Text', text: 'arrived' }] } }),
        'input-required',
      );
      end();
    };
  });
  const surface = await openSurface(page, fixture.slug);
  await expect(surface.getByText('step 200')).toBeVisible();
  await expect(surface.getByText('arrived')).toHaveCount(0);
  finish();
  await expect(surface.getByText('arrived')).toBeVisible();
  const streamed = await surface.textContent();
  await page.reload();
  await expect(surface.getByText('arrived')).toBeVisible();
  expect(await surface.textContent()).toBe(streamed);
  await expect(surface).toHaveCount(1);
});

test('a completed task’s surface starts a new one, keeps entries over a reload, and ends with the next message', async ({
  page,
  fixture,
}) => {
  const components = [
    root(['name', 'go']),
    { id: 'name', component: 'TextField', label: 'Name', value: { path: '/name' } },
    {
      id: 'go',
      component: 'Button',
      child: 'label',
      action: { event: { name: 'go', context: { name: { path: '/name' } } } },
    },
    { id: 'label', component: 'Text', text: 'Go' },
  ];
  fixture.agent.answer(({ result, end }) => {
    const id = randomUUID();
    result(agent03.task(id, 'working'));
    const part = { kind: 'data', data: create(components), metadata: { mimeType: 'application/a2ui+json' } };
    const artifact = { artifactId: 'ui', parts: [part] };
    result({ kind: 'artifact-update', taskId: id, contextId: 'c', artifact, append: false, lastChunk: true });
    result(agent03.status(id, 'completed', 'Done'));
    end();
  });
  const surface = await openSurface(page, fixture.slug);
  await surface.getByLabel('Name').fill('Ada');
  await page.reload();
  await expect(surface.getByLabel('Name')).toHaveValue('Ada');
  await surface.getByRole('button', { name: 'Go' }).click();
  await expect(surface).toHaveCount(2);
  await expect(surface.first().getByLabel('Name')).toBeDisabled();
  await expect(surface.last().getByLabel('Name')).toHaveValue('');
  const { message } = fixture.agent.received.filter(({ params }) => params?.message).at(-1)?.params ?? {};
  expect(message?.taskId).toBeUndefined();
  expect(message?.parts).toMatchObject([
    { data: { version: '1.0', action: { name: 'go', context: { name: 'Ada' } } } },
  ]);
});
