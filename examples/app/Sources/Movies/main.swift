let list = MovieList()
let first = [Shelf(uniqueID: "old", items: [Movie(uniqueID: 1, title: "Metropolis")])]
_ = try list.show(first)
let delta = try list.show([
  Shelf(
    uniqueID: "old",
    items: [Movie(uniqueID: 2, title: "Nosferatu"), Movie(uniqueID: 1, title: "Metropolis")])
])
print(delta.steps)
