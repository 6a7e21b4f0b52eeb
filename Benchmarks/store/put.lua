-- PUTs for wrk: each of WRITERS collections, each of a client of its own, gets one version after the
-- other, in which one item of a hundred changes. With COLLECTIONS, each of so many collections gets
-- one version, 200 of them a client's.
local items = tonumber(os.getenv("ITEMS"))
local writers = tonumber(os.getenv("WRITERS"))
local collections = tonumber(os.getenv("COLLECTIONS") or "0")

local function body(marks)
  local list = {}
  for i = 0, items - 1 do
    list[#list + 1] = string.format(
      '{"id":"item-%d","title":"A title of about the usual length","mark":%d}', i, marks[i])
  end
  return "[" .. table.concat(list, ",") .. "]"
end

function init()
  bodies, count = {}, 0
  local marks = {}
  for i = 0, items - 1 do marks[i] = 0 end
  for version = 1, 50 do
    for change = 0, math.max(1, items / 100) - 1 do
      marks[(version * 37 + change * 101) % items] = version
    end
    bodies[version] = body(marks)
  end
end

function request()
  local number, version = count % writers, math.floor(count / writers) % 50 + 1
  if collections > 0 then number, version = count % collections, 1 end
  count = count + 1
  local client = collections > 0 and math.floor(number / 200) or number
  local path = string.format("/v1/clients/client%d/collections/list%d", client, number)
  return wrk.format("PUT", path, {["Content-Type"] = "application/json"}, bodies[version])
end
