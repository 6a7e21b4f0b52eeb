let list = MovieList()
let first = [Shelf(uniqueID: "old", items: [Movie(id: 1, title: "Metropolis")])]
_ = try list.show(first)
let delta = try list.show([
  Shelf(
    uniqueID: "old",
    items: [Movie(id: 2, title: "Nosferatu"), Movie(id: 1, title: "Metropolis")])
])
print(delta.steps)

let inbox = Inbox()
try await inbox.show(#"[{"id":1,"title":"Hello"},{"id":2,"title":["not a title"]}]"#)
print("inbox: \(inbox.title(0, in: 0) ?? "-"), \(inbox.title(1, in: 0) ?? "-")")
