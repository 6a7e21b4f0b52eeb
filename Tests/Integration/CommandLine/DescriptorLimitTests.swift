import Testing

@Suite(.timeLimit(.minutes(10))) struct DescriptorLimitTests {
  @Test
  func `connections are held to what the limit of open files has room for, operations answer`()
    async throws
  {
    let outcome = try await Program.shell(
      #"""
      data=$(mktemp -d)
      exec 3< <(ulimit -n 200; exec livedelta serve --json --data "$data" \
        --listen 127.0.0.1:0 --ops 127.0.0.1:0 2> "$data/errors")
      service=$!
      read -r line <&3
      public=${line#*'"listening":["'}; public=${public%%'"'*}
      operations=${line#*'"operations":["'}; operations=${operations%%'"'*}
      curl -s "http://$public/v1" | grep -o '"connections":[0-9]*'
      for _ in {1..300}; do exec {held}<> "/dev/tcp/${public/://}"; done
      curl -s -o "$data/answer" -w '%{http_code}\n' "http://$operations/livez"
      curl -s -o "$data/answer" -w '%{http_code}\n' "http://$operations/readyz"
      curl -s -o "$data/answer" -w '%{http_code}\n' "http://$public/v1"
      kill -INT $service; wait $service
      grep -c 'limits.connectionsMax is lowered' "$data/errors"
      rm -r "$data"
      """#)
    #expect(outcome.lines == ["\"connections\":100", "200", "200", "503", "1"])
  }
}
