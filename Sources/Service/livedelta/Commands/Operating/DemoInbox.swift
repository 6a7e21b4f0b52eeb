import SnapshotJSON

/// An inbox that changes at random, as the content of `livedelta demo`.
struct DemoInbox {
  private struct Mail {
    let id: Int
    var title: String
    var isUnread: Bool
  }

  private var sections: [(id: String, title: String, mails: [Mail])]
  private var next: Int
  private var generator: SplitMix

  private static let titles = [
    "Invoice", "Groceries", "Trip to Rome", "Contract", "Photos of Sunday", "Standup", "Tickets",
    "Offer", "Dentist", "Minutes", "Birthday", "Release notes", "Parcel", "Rent", "Newsletter",
    "Book club", "Bike repair", "School", "Insurance", "Garden", "Concert", "Survey", "Lunch",
    "Backup",
  ]

  /// Creates an inbox of 30 items in three sections.
  init(seed: UInt64) {
    generator = SplitMix(state: seed)
    var (number, sections) = (0, [(id: String, title: String, mails: [Mail])]())
    for (id, title, count) in [
      ("pinned", "Pinned", 3), ("today", "Today", 9), ("earlier", "Earlier", 18),
    ] {
      let mails = (0..<count).map { _ in
        number += 1
        return Mail(
          id: number, title: Self.titles[number % Self.titles.count], isUnread: number % 4 == 0)
      }
      sections.append((id, title, mails))
    }
    (self.sections, next) = (sections, number)
  }

  /// Changes one to three things.
  mutating func change() {
    for _ in 0..<Int.random(in: 1...3, using: &generator) { changeOnce() }
  }

  private mutating func changeOnce() {
    let section = Int.random(in: 0..<sections.count, using: &generator)
    let count = sections[section].mails.count
    let item = count > 0 ? Int.random(in: 0..<count, using: &generator) : 0
    switch Int.random(in: 0..<6, using: &generator) {
    case 0 where count > 2: sections[section].mails.remove(at: item)
    case 1 where count > 2:
      let mail = sections[section].mails.remove(at: item)
      let other = Int.random(in: 0..<sections.count, using: &generator)
      sections[other].mails.insert(mail, at: 0)
    case 2 where count > 0: sections[section].mails[item].isUnread.toggle()
    case 3 where count > 0: sections[section].mails[item].title += "!"
    case 4 where count > 1: sections[section].mails.shuffle(using: &generator)
    default:
      guard sections[1].mails.count < 15 else { return sections[1].mails.removeLast(5) }
      next += 1
      sections[1].mails.insert(
        Mail(id: next, title: Self.titles[next % Self.titles.count], isUnread: true), at: 0)
    }
  }

  var snapshot: [UInt8] {
    JSONWriter.object { writer in
      writer.array("sections", sections) { writer, section in
        writer.object { writer in
          writer.member("id", section.id)
          writer.member("title", section.title)
          writer.array("items", section.mails) { writer, mail in
            writer.object { writer in
              writer.member("id", "m\(mail.id)")
              writer.member("title", mail.title)
              writer.member("unread", mail.isUnread)
            }
          }
        }
      }
    }
  }
}
