let list = MovieList()
let first = [Shelf(uniqueID: "old", items: [Movie(id: 1, title: "Metropolis")])]
_ = try list.show(first)
let delta = try list.show([
  Shelf(
    uniqueID: "old",
    items: [Movie(id: 2, title: "Nosferatu"), Movie(id: 1, title: "Metropolis")])
])
print(delta.steps)
