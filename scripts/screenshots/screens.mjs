import { workScreens } from './work-screens.mjs';

const key = (page, keys) => page.keyboard.press(keys);

/**
 * Returns the screens of the book. `as` is the viewer, `path` a path or the key of one in `paths`, `act` the actions
 * before the picture, and `only` restricts the screen to one width.
 *
 * @param {Record<string, string>} paths from `prepareContent`
 */
export function screensOf(paths) {
  const visitor = [
    { name: 'home', path: '/' },
    { name: 'catalog', path: '/agents' },
    { name: 'catalog-results', path: '/agents?q=pizza' },
    { name: 'catalog-weak', path: '/agents?q=repair+my+bicycle' },
    { name: 'catalog-empty', path: '/agents?q=xylophonequartz&tag=none' },
    { name: 'agent', path: '/agents/pizzeria' },
    { name: 'agent-skills', path: '/agents/pizzeria?tab=skills' },
    { name: 'agent-reviews', path: '/agents/pizzeria?tab=reviews' },
    { name: 'agent-code', path: '/agents/pizzeria?tab=code' },
    { name: 'agent-details', path: '/agents/pizzeria?tab=details' },
    { name: 'agent-seeded', path: '/agents/seed-7' },
    { name: 'compare', path: '/compare?agents=pizzeria,analyst' },
    { name: 'compare-empty', path: '/compare' },
    { name: 'collections', path: '/collections' },
    { name: 'collection', path: paths.collection },
    { name: 'publisher', path: '/publishers/demo' },
    { name: 'ranking', path: '/ranking' },
    { name: 'status', path: '/status' },
    { name: 'fees', path: '/fees' },
    { name: 'report', path: '/report?kind=agent&id=pizzeria' },
    { name: 'docs', path: '/docs' },
    { name: 'docs-page', path: '/docs/getting-started' },
    { name: 'docs-api', path: '/docs/api' },
    { name: 'docs-connect', path: '/docs/connect' },
    { name: 'consent-refused', path: '/oauth/authorize?client_id=unknown' },
    { name: 'sign-in', path: '/sign-in' },
    { name: 'sign-up', path: '/sign-up' },
    { name: 'forgot', path: '/forgot' },
    { name: 'not-found', path: '/no-such-page' },
    { name: 'visitor-menu', path: '/docs', act: openMenu, only: 'phone' },
  ].map((screen) => ({ ...screen, as: 'visitor' }));
  const member = [
    { name: 'chat-list', path: '/chat' },
    { name: 'chat-new', path: '/chat/new?agent=pizzeria' },
    { name: 'chat-question', path: paths.question },
    { name: 'chat-cart', path: paths.cart },
    { name: 'chat-analysis', path: paths.analysis },
    {
      name: 'chat-pay',
      path: paths.cart,
      act: async (page) => {
        await page.getByRole('button', { name: /^Review and pay/ }).click();
        await page.getByRole('button', { name: /^Pay / }).waitFor();
      },
    },
    {
      name: 'chat-menu',
      path: paths.cart,
      act: (page) => page.locator('main button[aria-haspopup=menu]').first().click(),
    },
    { name: 'orders', path: '/orders' },
    { name: 'order', path: paths.order },
    { name: 'order-paid', path: '/orders/ord_seed0000000000000008' },
    { name: 'order-refunded', path: '/orders/ord_seed0000000000000010' },
    { name: 'collections-own', path: '/collections' },
    { name: 'collection-own', path: paths.collection },
    { name: 'consent', path: paths.consent },
    { name: 'consent-app', path: paths.consentApp },
    { name: 'settings', path: '/settings' },
    { name: 'settings-account', path: '/settings/account' },
    { name: 'settings-security', path: '/settings/security' },
    { name: 'settings-payments', path: '/settings/payments' },
    { name: 'settings-connections', path: '/settings/connections' },
    { name: 'settings-notifications', path: '/settings/notifications' },
    { name: 'settings-data', path: '/settings/data' },
    { name: 'console', path: '/console' },
    { name: 'console-agent', path: '/console/agents/analyst' },
    { name: 'console-calls', path: '/console/agents/analyst/calls' },
    { name: 'console-card', path: '/console/agents/analyst/card' },
    { name: 'console-test', path: '/console/agents/analyst/test' },
    { name: 'console-team', path: '/console/agents/analyst/team' },
    { name: 'console-apps', path: '/console/apps' },
    { name: 'console-deliveries', path: '/console/pushes' },
    { name: 'console-sales', path: '/console/sales' },
    { name: 'console-list', path: '/console/agents/new' },
    { name: 'console-builder', path: '/console/agents/build' },
    { name: 'console-import', path: '/console/agents/import' },
    { name: 'admin', path: '/admin' },
    { name: 'admin-clients', path: '/admin/clients' },
    { name: 'palette', path: '/agents', act: (page) => key(page, 'Control+k') },
    { name: 'shortcuts', path: '/agents', act: (page) => key(page, 'Control+/') },
    { name: 'member-menu', path: '/agents', act: openMenu },
  ].map((screen) => ({ ...screen, as: 'member' }));
  const newcomer = [
    { name: 'empty-orders', path: '/orders' },
    { name: 'empty-collections', path: '/collections' },
    { name: 'empty-account', path: '/settings/account' },
    { name: 'empty-payments', path: '/settings/payments' },
    { name: 'empty-connections', path: '/settings/connections' },
    { name: 'empty-notifications', path: '/settings/notifications' },
  ].map((screen) => ({ ...screen, as: 'newcomer' }));
  return [...visitor, ...member, ...newcomer, ...workScreens(paths)];
}

/** Returns the menu of phones, or the account menu. */
function openMenu(page) {
  return page.locator('[popovertarget]:visible').first().click();
}
