import { requirements } from '../requirement.js'

export const find = requirements('model.find', {
  all: { says: 'find of all answers all objects of the model.', state: 'held' },
  'all.conditions': {
    says: 'find of all with conditions answers the objects that match them and no others.',
    state: 'held',
  },
  first: { says: 'find of first answers the first object that matches the conditions.', state: 'held' },
  count: { says: 'find of count answers how many objects match the conditions.', state: 'held' },
  'conditions.map': {
    says: 'Conditions given as a map match objects whose attributes have these values.',
    state: 'held',
  },
  'conditions.sql': {
    says: 'Conditions given as an array match by an SQL fragment with the following values bound to its placeholders.',
    state: 'held',
  },
  'order.string': { says: 'order takes the name of one attribute to order by.', state: 'held' },
  'order.array': {
    says: 'order takes a list of attributes, the later ones deciding where the earlier are equal.',
    state: 'held',
  },
  'orderdir.default': { says: 'Objects are in ascending order where no orderdir is given.', state: 'held' },
  'orderdir.desc': { says: 'An orderdir of DESC puts objects in descending order.', state: 'held' },
  'orderdir.array': { says: 'orderdir takes a list with a direction for each attribute of order.', state: 'held' },
  select: { says: 'select answers objects that carry only the attributes listed.', state: 'held' },
  'by-sql': { says: 'find_by_sql answers the objects of the model that an SQL query matches.', state: 'held' },
  'get-count': { says: 'getCount answers the total number of objects of the model.', state: 'held' },
})
