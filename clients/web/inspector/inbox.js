// The example, three versions of an inbox: the same as `examples/mail-1.json` to `mail-3.json`.

const mail = (id, title, from, preview, more) => ({ id, title, from, preview, ...more })
const unread = { unread: true }

const pinned = [
  mail('m1', 'Keys for the flat', 'Ines Okafor', 'They are with the neighbour on the second floor, ring twice and mention my name. The blue one is for the cellar.'),
]

const today = [
  mail('m2', 'Invoice 2026-118', 'Harbour Print', 'Thank you for your order. The invoice for 400 postcards is attached, payable within fourteen days of its date.', unread),
  mail('m3', 'Groceries', 'Ada Park', 'Could you bring oat milk, lemons and something for the salad? I am at home from six, the guests come at seven.'),
  mail('m4', 'Trip to Lisbon', 'Jonas Weber', 'The night train is booked. We leave on Thursday at nine and are there for breakfast; bring the big rucksack.', unread),
  mail('m5', 'Minutes of the meeting', 'Priya Nair', 'Three decisions, two open questions, and one date: the release is on the twelfth unless the translations are late.'),
  mail('m6', 'Your parcel is on its way', 'City Couriers', 'It comes between two and four in the afternoon. If nobody is there, the kiosk at the corner keeps it for you.'),
  mail('m7', 'Lunch on Friday?', 'Tomás Ribeiro', 'There is a new place by the canal with long tables and short queues. I would book for one, say if two is better.'),
  mail('m8', 'Photos from Sunday', 'Mei Lin', 'The light was kind to us. I have put the best thirty into the album, the others are in the folder beside it.'),
  mail('m9', 'A question about chapter four', 'Oskar Lindqvist', 'Why does the second proof need the lemma at all? It seems to me that the induction already gives the bound.', unread),
  mail('m10', 'The heating is repaired', 'House Office', 'The part has been replaced this morning. Should a radiator stay cold, please open its valve fully and call us.'),
]

const earlier = [
  mail('m11', 'Contract', 'Lena Hoffmann', 'Both copies are signed; one is in the post to you. The notice period is now three months, as we agreed by phone.'),
  mail('m12', 'Choir on Tuesday', 'Ruth Adler', 'We begin with the Monteverdi, so please be there at seven sharp. Basses: the F in bar nineteen is a natural.'),
  mail('m13', 'Library: due in three days', 'City Library', 'Two items are due on the ninth. You can renew them once more, after that somebody else is waiting for one of them.'),
  mail('m14', 'Draft of the poster', 'Harbour Print', 'The blue is a little deeper than on your screen. If you like it so, answer with yes and we print tonight.'),
  mail('m15', 'Bicycle, second offer', 'Samir Haddad', 'I can go down by twenty if you fetch it this week. The lamps are new and the lock comes with both of its keys.'),
  mail('m16', 'Dentist, in half a year', 'Dr. Moreau', 'Your next appointment is on the third of June at eight in the morning. A day before you get a reminder.'),
  mail('m17', 'Re: the garden fence', 'Paul Novak', 'My brother has a drill and is free on Saturday. If it rains we move it by a week, the wood can stay outside.'),
  mail('m18', 'Water meter', 'House Office', 'Please read the meter in the kitchen until Monday and enter the number on the sheet that hangs by the door.'),
  mail('m19', 'Concert tickets', 'Old Theatre', 'Row seven, seats twelve and thirteen. Doors open at half past seven; the bar in the foyer takes cards only.'),
  mail('m20', 'Backup finished', 'Home Server', 'All folders were copied in forty minutes. The oldest copy was removed, there is room for eleven more of them.'),
  mail('m21', 'Recipe, as promised', 'Ada Park', 'Toast the spices before you grind them, and let the dough rest overnight. It freezes well, if any is left over.'),
  mail('m22', 'New shifts from March', 'Priya Nair', 'The early shift begins at seven instead of six. Swap among yourselves as before, only tell me on the day before.'),
  mail('m23', 'Thank you', 'Grandma', 'The calendar hangs in the kitchen and everybody who comes in has to look at August. Come soon, the pears are ripe.'),
  mail('m24', 'Train strike on Monday', 'Jonas Weber', 'Half of the trains run, ours is not among them. There is a bus at ten past five that takes an hour longer.'),
  mail('m25', 'Election of the board', 'Garden Club', 'Two of the five seats are open. Whoever would like to stand writes to the secretary by the end of the month.'),
  mail('m26', 'Lost: one grey glove', 'Mei Lin', 'It must have been in the café or on the way to the tram. The other one is lonely and would be glad of news.'),
  mail('m27', 'Tax documents', 'Lena Hoffmann', 'Everything from last year is in one file now. Please look at page six again, the second number seems too high.'),
  mail('m28', 'Swimming course', 'City Pools', 'There is a place for you on Wednesdays at eight. Bring a cap; the lockers take a coin that you get back.'),
  mail('m29', 'The old sofa', 'Samir Haddad', 'Somebody from the third floor takes it on Saturday. Could you help to carry? It is heavier than it looks.'),
  mail('m30', 'Happy new year', 'Ruth Adler', 'May it be a kind one to you and yours. We sing on the sixth, and afterwards there is soup for everybody.'),
]

const sections = (...parts) => ({
  sections: ['Pinned', 'Today', 'Earlier'].map((title, at) => ({ id: title.toLowerCase(), title, items: parts[at] })),
})
const without = (items, ...ids) => items.filter(({ id }) => !ids.includes(id))
const read = ({ unread, ...item }) => ({ ...item, unread: false })
const [invoice, , trip] = today
const [contract] = earlier
const tickets = earlier[8]

/** The versions: as it was, after a mail was pinned, one deleted, one read and one new; and some more. */
export const inboxes = [
  sections(pinned, today, earlier),
  sections(
    [contract, ...pinned],
    [
      mail('m31', 'Standup at ten', 'Priya Nair', 'An hour later than usual and only today, the room is taken before.', unread),
      ...without(today, 'm3').map((item) => (item === trip ? read(trip) : item)),
    ],
    without(earlier, 'm11'),
  ),
  sections(
    [contract, tickets],
    [
      mail('m32', 'We are on the platform', 'Jonas Weber', 'Coach nine, by the window. Run!', unread),
      mail('m31', 'Standup at ten', 'Priya Nair', 'An hour later than usual and only today, the room is taken before.', { unread: false }),
      ...without(today, 'm2', 'm3', 'm6').map((item) => (item === trip ? read(trip) : item)),
    ],
    [read(invoice), ...pinned, ...without(earlier, 'm11', 'm19')],
  ),
]
