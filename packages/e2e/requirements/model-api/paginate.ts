import { requirements } from '../requirement.js'

export const paginate = requirements('model.paginate', {
  page: {
    says: 'paginate answers one page of records, and page 1 with per_page 20 holds records 21 to 40.',
    state: 'held',
  },
  'page.first': { says: 'Pages count from 0, so that page 0 holds the first records.', state: 'held' },
  'page.optional': { says: 'paginate without a page answers the first page.', state: 'held' },
  'per-page': { says: 'per_page is the number of records of a page.', state: 'held' },
  'per-page.default': { says: 'A page has 10 records where per_page is not given.', state: 'held' },
  'conditions.map': {
    says: 'paginate pages through the records that match conditions given as a map.',
    state: 'held',
  },
  'conditions.sql': {
    says: 'paginate pages through the records that match conditions given as an SQL fragment with bound values.',
    state: 'held',
  },
  order: {
    says: 'paginate orders by the attribute or list of attributes in order before it cuts pages.',
    state: 'held',
  },
  orderdir: { says: 'paginate orders ascending unless orderdir says DESC.', state: 'held' },
  select: { says: 'paginate answers only the attributes named in select.', state: 'held' },
})
