/**
 * Returns the screens of chat, console and moderation in depth. `as` and `act` as in `screensOf`.
 *
 * @param {Record<string, string>} paths from `prepareContent`
 */
export function workScreens(paths) {
  const member = [
    { name: 'chat-inspector', path: paths.analysis, act: (page) => press(page, 'Request log') },
    { name: 'chat-share', path: paths.analysis, act: (page) => chooseInMenu(page, 'Share') },
    { name: 'chat-find', path: paths.analysis, act: (page) => chooseInMenu(page, 'Find in conversation') },
    { name: 'chat-sheet', path: paths.cart, act: (page) => press(page, 'Conversations'), only: 'phone' },
    { name: 'chat-approval', path: paths.approval },
    {
      name: 'chat-chain',
      path: paths.chain,
      act: (page) =>
        page
          .getByText(/agents? helped/)
          .first()
          .click(),
    },
    { name: 'chain', path: paths.chainPage },
    { name: 'console-search', path: '/console?q=tax&range=30d' },
    { name: 'console-settings', path: '/console/agents/analyst/settings' },
    { name: 'console-selling', path: '/console/agents/pizzeria/settings' },
    { name: 'console-agent-hub', path: '/console/agents/researcher' },
    { name: 'console-filter', path: '/console/agents/analyst/calls?range=24h&status=failed', act: openFilters },
    { name: 'console-call', path: paths.call },
    { name: 'console-call-failed', path: paths.failedCall },
    { name: 'console-tested', path: '/console/agents/analyst/test', act: sendTest },
    { name: 'console-app-new', path: '/console/apps', act: createApp },
    { name: 'console-refund', path: '/console/sales', act: (page) => press(page, 'Refund') },
    { name: 'admin-activity', path: '/admin/activity' },
    { name: 'admin-removed', path: '/admin?state=removed' },
    { name: 'admin-search', path: '/admin?q=tax' },
    { name: 'admin-case', path: '/admin/cases/case_seed000000000000001' },
    { name: 'admin-case-appealed', path: '/admin/cases/case_seed000000000000003' },
  ].map((screen) => ({ ...screen, as: 'member' }));
  const newcomer = [
    { name: 'empty-chat', path: '/chat' },
    { name: 'empty-console', path: '/console' },
    { name: 'empty-apps', path: '/console/apps' },
    { name: 'empty-deliveries', path: '/console/pushes' },
    { name: 'empty-sales', path: '/console/sales' },
  ].map((screen) => ({ ...screen, as: 'newcomer' }));
  return [...member, ...newcomer];
}

function press(page, name) {
  return page.getByRole('button', { name, exact: true }).first().click();
}

async function chooseInMenu(page, name) {
  await page.locator('main button[aria-haspopup=menu]').first().click();
  await page.getByRole('menuitem', { name }).click();
}

function openFilters(page) {
  return page.getByText('Filters and custom time').click();
}

async function sendTest(page) {
  await page.getByLabel('Message').fill('city,price\nRome,12.5\nMilan,14\nTurin,9');
  await press(page, 'Send message');
  await page.getByRole('list', { name: 'Steps of the test' }).waitFor({ timeout: 90_000 });
}

async function createApp(page) {
  await page.getByLabel('App name', { exact: true }).fill('Order desk');
  await press(page, 'Create app');
}
