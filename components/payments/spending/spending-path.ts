/** The page of limits and automatic payments. Not among the routes, which every page loads. */
export const spendingPath = '/settings/spending';
