import { expect, test } from '@jest/globals'
import { AppFile } from './language-service.fixture.js'
import { MANY } from './many-models.fixture.js'

test('60 models of 30 attributes with a query of each are checked with less than 300,000 instantiations', () => {
  expect(new AppFile().instantiations(MANY)).toBeLessThan(300_000)
}, 120_000)

// ── hover texts and completions ──

const app = new AppFile()

const ASK = `
import { openSdk } from '../node.js'
import { defineModel } from './define-model.js'
import { City, Country, models } from './models.fixture.js'
import { t } from './t.js'
const sdk = await openSdk({ directory: 'data', server: 'http://localhost', models })
const visits = sdk.models.Visit
const visitedAt = new Date()
`

test.each([
  [
    'a row',
    'const visit = visits.find()[0]\nvisit/*here*/',
    `const visit: {
    readonly id: string;
    readonly cityId: string;
    readonly note: string;
    readonly rating: number | undefined;
    readonly mood: "good" | "bad" | undefined;
    readonly tags: readonly string[];
    readonly photo: BlobRef | undefined;
    readonly visitedAt: Date;
} | undefined`,
  ],
  [
    'some attributes with a relation',
    "const visit = visits.first({ select: ['note'], with: { city: { select: ['name'] } } })\nvisit/*here*/",
    `const visit: {
    readonly id: string;
    readonly note: string;
    readonly city: {
        readonly id: string;
        readonly name: string;
    } | undefined;
} | undefined`,
  ],
  [
    'an attribute, with the comment where it is declared,',
    'visits.find().map(visit => visit.note/*here*/)',
    '(property) note: string\nWhat the visitor wrote.',
  ],
  ['a model', 'sdk.models.Visit/*here*/', '(property) Visit: TypedModel<"Visit", AppModels, "here">'],
  ['all models', 'sdk.models/*here*/', '(property) Sdk<AppModels>.models: TypedModels<AppModels, "here">'],
  ['an SDK', 'sdk/*here*/', 'const sdk: Sdk<AppModels>'],
  [
    'an attribute to create, with its comment,',
    "visits.create({ cityId: '1', visitedAt, note/*here*/: '' })",
    '(property) note?: string | undefined\nWhat the visitor wrote.',
  ],
  ['create', 'visits.create/*here*/', 'create(attributes: CreateAttributes<"Visit", AppModels, "here">): {'],
  ['update', 'visits.update/*here*/', 'changes: UpdateAttributes<"Visit", AppModels, "here">): {'],
  [
    'a condition',
    'visits.find({ conditions: { rating/*here*/: 4 } })',
    'rating?: number | Comparison<number, null> | null',
  ],
  [
    'a refused change',
    "const refusal = sdk.refused('Visit')[0]\nrefusal/*here*/",
    'const refusal: RefusedChange<"Visit", UpdateAttributes<"Visit", AppModels>> | undefined',
  ],
  [
    'an event',
    'for await (const event of sdk.events()) event/*here*/',
    'const event: SdkEvent<"City" | "Country" | "Employee" | "Visit">',
  ],
  [
    'the old attributes in a migration',
    "defineModel('A', { attributes: {}, migrate(_, __, database) { for (const { attributes } of database.objects()) attributes/*here*/ } })",
    'const attributes: {\n    readonly [name: string]: unknown;\n}',
  ],
])('a hover of %s is short', (_, line, displayed) => {
  expect(app.hover(`${ASK}${line}`)).toContain(displayed)
})

test.each([
  ['visits.find({ /*here*/ })', 'conditions limit offset order search select with'],
  ["visits.find({ select: ['note', '/*here*/'] })", 'cityId mood note photo rating tags visitedAt'],
  ['visits.find({ with: { /*here*/ } })', 'city'],
  ['visits.find({ with: { city: { /*here*/ } } })', 'select with'],
  ['visits.get("1", { with: { city: { with: { /*here*/ } } } })', 'country'],
  ["visits.find({ with: { city: { select: ['/*here*/'] } } })", 'capital countryId name population'],
  ['visits.find({ conditions: { /*here*/ } })', 'and city cityId id mood note or rating sql visitedAt'],
  ['visits.find({ conditions: { city: { /*here*/ } } })', 'and capital country countryId id name or population sql'],
  ["visits.find({ conditions: { mood: '/*here*/' } })", 'bad good'],
  ["visits.find({ conditions: { visitedAt: { '/*here*/' } } })", '< <= <> = > >= in not in'],
  ["visits.find({ conditions: { rating: { '/*here*/' } } })", '< <= <> = > >= in not in'],
  ['visits.find({ order: { /*here*/ } })', 'cityId id mood note rating visitedAt'],
  ["visits.find({ order: { note: '/*here*/' } })", 'asc desc'],
  ['visits.create({ /*here*/ })', 'cityId mood note photo rating tags visitedAt'],
  [
    'visits.observe({ with: { city: true } }, ([visit]) => visit?.city?./*here*/)',
    'capital countryId id name population',
  ],
  ["sdk.sync({ models: ['/*here*/'] })", 'City Country Employee Visit'],
  ["sdk.sync('/*here*/')", 'City Country Employee Visit'],
  ["sdk.bulkSync({ sources: ['/*here*/'] })", 'City Country Employee Visit'],
  ["sdk.search({ search: {}, sources: ['/*here*/'] })", 'City Country Employee Visit'],
  ["sdk.changes('/*here*/')", 'City Country Employee Visit'],
  ["sdk.setNotification('/*here*/', () => {})", '* City Country Employee Visit'],
  [
    "for await (const event of sdk.events()) if (event.kind === 'source' && event.source === '/*here*/') break",
    'City Country Employee Visit',
  ],
  ["sdk.refused('Visit')[0]?.edit({ /*here*/ })", 'cityId mood note photo rating tags visitedAt'],
  ["defineModel('A', { attributes: { a: t.string(), b: t.integer() }, textSearch: ['/*here*/'] })", 'a'],
])('%s: editors offer %s', (line, offered) => {
  expect([...app.completions(`${ASK}${line}`)].sort().join(' ')).toBe(offered)
})

const MISTAKES: readonly (readonly [line: string, at: string, message: RegExp])[] = [
  [
    "visits.create({ cityId: '1' })",
    "{ cityId: '1' }",
    /Property 'visitedAt' is missing .* but required in type '{ readonly cityId: string; readonly visitedAt: Date; }'\.$/,
  ],
  ['visits.create({})', '{}', /: cityId, visitedAt$/],
  [
    "visits.create({ cityId: '1', visitedAt, comment: '' })",
    'comment',
    /'comment' does not exist in type 'CreateAttributes<"Visit", AppModels, "here">'/,
  ],
  [
    "visits.update('1', { comment: '' })",
    'comment',
    /not exist in type 'UpdateAttributes<"Visit", AppModels, "here">'/,
  ],
  [
    "sdk.refused('Visit')[0]?.edit({ comment: '' })",
    'comment',
    /not exist in type 'UpdateAttributes<"Visit", AppModels/,
  ],
  ["visits.create({ cityId: '1', visitedAt: '2026-01-01' })", 'visitedAt', /'string' is not assignable to type 'Date'/],
  ["visits.update('1', { mood: 'so-so' })", 'mood', /not assignable to type '"good" \| "bad" \| null \| undefined'/],
  ["visits.find({ select: ['comment'] })", "'comment'", /'"cityId" \| "note" \| "rating" \| "mood"/],
  ['visits.find()[0]?.city', 'city', /Property 'city' does not exist/],
  ['visits.find({ with: { town: true } })', 'town', /'town' does not exist in type 'With<"Visit", AppModels>'/],
  [
    'visits.find({ with: { city: true, town: true } })',
    'town',
    /^Type 'boolean' is not assignable to type 'NoRelation<"town", "city">'\.$/,
  ],
  ['visits.find({ with: { city: { where: {} } } })', 'where', /'where' does not exist/],
  ["visits.find({ conditions: { comment: 'x' } })", 'comment', /not exist in type 'Conditions<"Visit", AppModels>'/],
  ["visits.find({ conditions: { rating: '4' } })", 'rating', /to type 'number \| Comparison<number, null> \| null/],
  [
    "visits.find({ conditions: { city: 'Paris' } })",
    'city',
    /'string' has no properties in common with type 'Conditions<"City", AppModels>'/,
  ],
  [
    'visits.find({ conditions: { cityId: undefined } })',
    'conditions',
    /'undefined' is not assignable to type 'string \| Equality/,
  ],
  [
    "visits.find({ conditions: { visitedAt: '2026-01-01' } })",
    'visitedAt',
    /to type 'AnyDate \| Comparison<AnyDate, never> \| undefined/,
  ],
  [
    "void (await openSdk({ directory: '', models: { B: defineModel('B', { attributes: { b: t.string() } }) } })).models.B.find({ conditions: 'b' })",
    'conditions',
    /'string' has no properties in common with type 'Conditions<"B"/,
  ],
  [
    "visits.find({ conditions: { rating: { like: '4%' } } })",
    'like',
    /'like' does not exist in type 'Comparison<number/,
  ],
  ['visits.find({ conditions: { note: null } })', 'note', /to type 'string \| TextComparison<never>/],
  ["visits.find({ order: { comment: 'asc' } })", 'comment', /not exist in type 'Order<"Visit", AppModels>'/],
  ["visits.find({ order: { note: 'up' } })", 'note', /not assignable to type 'Direction/],
  ["visits.find({ search: 'par' })", 'search', /declare textSearch in this model to search it/],
  ['sdk.models.Town', 'Town', /'Town' does not exist on type 'TypedModels<AppModels, "here">'/],
  ["sdk.sync({ models: ['Town'] })", "'Town'", /to type '"City" \| "Country" \| "Employee" \| "Visit"'/],
  [
    "openSdk({ directory: '', server: '', models: { City } })",
    'City',
    /^Type 'Model<.*' is not assignable to type '"City belongs to Country, which is not among the models"'\.$/,
  ],
  [
    "openSdk({ directory: '', server: '', models: { X: Country } })",
    'X',
    /^Type 'Model<.*' is not assignable to type '"the key of this model has to be its name, Country"'\.$/,
  ],
  ["defineModel('A', { attributes: { id: t.string() } })", 'id', /'id' is reserved/],
  [
    "defineModel('A', { attributes: { a: t.json<string[]>() } })",
    'a',
    /no attribute before \.optional\(\) or \.default/,
  ],
  ["defineModel('A', { attributes: { a: t.blob() } })", 'a', /no attribute before \.optional\(\)/],
  ["defineModel('A', { attributes: { a: t.string() }, indexes: { x: ['b'] } })", "'b'", /not assignable to type '"a"'/],
  [
    "defineModel('A', { attributes: { a: t.string(), b: t.integer() }, textSearch: ['b'] })",
    "'b'",
    /'"b"' is not assignable to type '"a"'/,
  ],
]

/** Maximum length of an error: two lines in an editor plus TypeScript's note about `exactOptionalPropertyTypes`. */
const LONGEST = 330

test('a typical mistake is marked at its token, shortly, in terms of the app', () => {
  const problems = app.problems(`${ASK}${MISTAKES.map(([line]) => line).join('\n')}`)
  expect(problems).toEqual(MISTAKES.map(([, at, message]) => ({ at, message: expect.stringMatching(message) })))
  expect(problems.filter(({ message }) => message.length > LONGEST)).toEqual([])
})
