import { requirements } from '../requirement.js'

export const paginate = requirements('model.paginate', {
  page: {
    says: 'paginate answers one page of records, and page 1 with per_page 20 holds records 21 to 40.',
    state: 'planned',
  },
  'page.first': { says: 'Pages count from 0, so that page 0 holds the first records.', state: 'planned' },
  'page.optional': { says: 'paginate without a page answers the first page.', state: 'planned' },
  'per-page': { says: 'per_page is the number of records of a page.', state: 'planned' },
  'per-page.default': { says: 'A page has 10 records where per_page is not given.', state: 'planned' },
  'conditions.map': {
    says: 'paginate pages through the records that match conditions given as a map.',
    state: 'planned',
  },
  'conditions.sql': {
    says: 'paginate pages through the records that match conditions given as an SQL fragment with bound values.',
    state: 'planned',
  },
  order: {
    says: 'paginate orders by the attribute or list of attributes in order before it cuts pages.',
    state: 'planned',
  },
  orderdir: { says: 'paginate orders ascending unless orderdir says DESC.', state: 'planned' },
  select: { says: 'paginate answers only the attributes named in select.', state: 'planned' },
})
