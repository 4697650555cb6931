import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/notifications/unsubscribe');
export const POST = mount('POST', '/api/notifications/unsubscribe');
