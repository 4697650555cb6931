import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/push/receivers');
