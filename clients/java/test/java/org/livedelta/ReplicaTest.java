package org.livedelta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaTest {
  private static Json json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  private static Json snapshot(String version, String sections) {
    return json("{'kind':'snapshot','collection':'c','version':'" + version + "','seq':1,'sections':" + sections + "}");
  }

  /** A delta from 1 to 2; members come in place of the empty ones. */
  private static Json delta(String body) {
    Json.Builder whole = Json.object();
    json("{'kind':'delta','from':'1','to':'2','seq':2,'items':{},'sections':{},'deleted':[]}").getMembers().forEach(whole::put);
    json("{" + body + "}").getMembers().forEach(whole::put);
    return whole.build();
  }

  private static Replica holding(String sections) throws ReplicaException {
    Replica replica = new Replica();
    replica.apply(snapshot("1", sections));
    return replica;
  }

  private static final String TWO = "[{'id':'today','title':'Today','items':[{'id':'m1'},{'id':'m2'},{'id':'m3'}]},"
      + "{'id':'earlier','items':[{'id':'m4'},{'id':'m5'}]}]";
  private static final String NEXT = "{'sections':[{'id':'pinned','title':'Pinned','items':[{'id':'m4'},{'id':'m9'}]},"
      + "{'id':'today','title':'Today','items':[{'id':'m6'},{'id':'m1'},{'id':'m3','read':true}]},"
      + "{'id':'earlier','items':[{'id':'m5'}]}]}";
  private static final String CONTENTS = "'items':{'m3':{'id':'m3','read':true},'m6':{'id':'m6'},'m9':{'id':'m9'}},"
      + "'sections':{'pinned':{'id':'pinned','title':'Pinned'}},'deleted':['m2'],'meta':null";

  @ParameterizedTest
  @ValueSource(strings = {"ops", "splice"})
  void each_delta_of_a_view_in_the_kit_makes_what_is_seen_afterwards(String dialect) throws Exception {
    int count = 0;
    for (Json step : Json.parse(Files.readString(Path.of("conformance/vectors/views.json"))).getElements()) {
      if (!"delta".equals(step.text("kind"))) continue;
      count++;
      Replica replica = new Replica();
      Json.Builder whole = Json.object().put("kind", "snapshot").put("version", "1").put("seq", 1);
      replica.apply(whole.put("sections", step.get("before")).build());
      Json.Builder delta = Json.object().put("kind", "delta").put("from", "1").put("to", "2").put("seq", 2);
      step.get("contents").getMembers().forEach(delta::put);
      step.get("answers").get(dialect).getMembers().forEach(delta::put);
      Change change = replica.apply(delta.build());
      assertEquals(step.get("after"), replica.getSnapshot().toJson().get("sections"), step.text("why"));
      assertEquals(step.get("contents").get("view"), replica.getSnapshot().getView(), step.text("why"));
      ConformanceClient.assertSteps(change);
    }
    assertEquals(100, count);
  }

  @Test
  void ops_make_of_one_version_the_next() throws Exception {
    Replica replica = holding(TWO);
    Change change = replica.apply(delta("'ops':[['r',2,1],['m',4,0],['i',0,[['s','pinned']]],['m',1,1],['i',2,['m9']],"
        + "['i',4,['m6']],['c',6,['m3']]]," + CONTENTS));
    assertEquals(json(NEXT), replica.getSnapshot().toJson());
    assertEquals("2", replica.getSnapshot().getVersion());
    assertEquals(7, change.getOps().size());
    ConformanceClient.assertSteps(change);
  }

  @Test
  void splice_makes_of_one_version_the_next() throws Exception {
    Replica replica = holding(TWO);
    Change change = replica.apply(delta("'order':['pinned','today','earlier'],'removed':['m2','m4'],'changed':['m3'],"
        + "'added':[['pinned',0,'m4'],['pinned',1,'m9'],['today',0,'m6']]," + CONTENTS));
    assertEquals(json(NEXT), replica.getSnapshot().toJson());
    assertNull(replica.getSnapshot().item("m2"));
    ConformanceClient.assertSteps(change);
  }

  @Test
  void ids_are_where_a_snapshot_says() throws Exception {
    Replica replica = new Replica();
    String sections = "[{'key':'s','items':[{'key':'a'}]},{'id':'t','items':[{'key':'b'}]}]";
    replica.apply(json("{'kind':'snapshot','version':'1','seq':1,'idPath':'/key','sections':" + sections + "}"));
    List<String> ids = new ArrayList<>();
    for (Row row : replica.getSnapshot().getRows()) ids.add(row.getId());
    assertEquals(List.of("s", "a", "t", "b"), ids);
    assertEquals(json("{'sections':" + sections + "}"), replica.getSnapshot().toJson());
  }

  @Test
  void an_answer_that_does_not_follow_is_refused_and_changes_nothing() throws Exception {
    String[] misfits = {
      "'from':'0','ops':[]",
      "'ops':[['i',1,['b']]]",
      "'ops':[['i',1,['a']]],'items':{'a':{'id':'a'}}",
      "'ops':[['i',1,['b','b']]],'items':{'b':{'id':'b'}}",
      "'ops':[['i',1,[['s','x']]]]",
      "'ops':[['i',0,['b']]],'items':{'b':{'id':'b'}}",
      "'ops':[['i',3,['b']]],'items':{'b':{'id':'b'}}",
      "'ops':[['i',-1,['b']]],'items':{'b':{'id':'b'}}",
      "'ops':[['r',1,1]]",
      "'ops':[['r',1,1]],'deleted':['b']",
      "'ops':[['r',1,2]],'deleted':['a']",
      "'ops':[['r',2147483647,2147483647]],'deleted':['a']",
      "'ops':[['r',1,0]]",
      "'ops':[['m',1,2]]",
      "'ops':[['m',2,1]]",
      "'ops':[['m',1,0]]",
      "'ops':[['c',1,['b']]],'items':{'b':{'id':'b'}}",
      "'ops':[['c',1,['a']]]",
      "'ops':[['c',0,['a']]],'items':{'a':{'id':'a'}}",
      "'ops':[['c',1,['a','a']]],'items':{'a':{'id':'a'}}",
      "'ops':[['x',1,1]]",
      "'ops':[['r',1]]",
      "'ops':[],'items':{'a':{'id':'a'}}",
      "'ops':[],'items':{'b':{'id':'b'}}",
      "'ops':[],'deleted':['a']",
      "'ops':[],'sections':{'x':{'id':'x'}}",
      "'ops':{}",
      "'ops':[['c',1,['a']]],'items':{'a':7}",
      "'order':[''],'removed':[],'added':[['x',0,'b']],'changed':[],'items':{'b':{'id':'b'}}",
      "'order':[''],'removed':[],'added':[['',2,'b']],'changed':[],'items':{'b':{'id':'b'}}",
      "'order':[''],'removed':[],'added':[['',1,'b']],'changed':[]",
      "'order':[''],'removed':['a'],'added':[],'changed':[]",
      "'order':[''],'removed':[],'added':[],'changed':[],'deleted':['a']",
      "'order':[],'removed':[],'added':[],'changed':[]",
      "'order':['','x'],'removed':[],'added':[],'changed':[]",
      "'order':['',''],'removed':[],'added':[],'changed':[]",
      "'order':['']",
      "'steps':[]",
    };
    for (String misfit : misfits) {
      Replica replica = holding("[{'id':'','items':[{'id':'a'}]}]");
      Snapshot held = replica.getSnapshot();
      assertThrows(ReplicaException.class, () -> replica.apply(delta(misfit)), misfit);
      assertSame(held, replica.getSnapshot(), misfit);
      replica.apply(delta("'ops':[['i',1,['b']],['c',2,['a']]],'items':{'a':{'id':'a','n':1},'b':{'id':'b'}}"));
      assertEquals(json("{'sections':[{'id':'','items':[{'id':'b'},{'id':'a','n':1}]}]}"), replica.getSnapshot().toJson(), misfit);
    }
  }

  @Test
  void what_is_no_answer_at_all_is_refused() throws Exception {
    String[] answers = {
      "{}", "[]", "null", "{'kind':'unchanged'}", "{'kind':'unchanged','version':'0'}", "{'kind':'delta'}", "{'kind':'new'}",
      "{'kind':'snapshot','version':'2','seq':1}", "{'kind':'snapshot','version':'2','seq':1,'sections':[{'id':'s'}]}",
      "{'kind':'snapshot','version':'2','seq':1,'sections':[{'id':'s','items':[{}]}]}",
      "{'kind':'snapshot','version':'2','seq':'x','sections':[]}",
    };
    for (String answer : answers) {
      Replica replica = holding("[]");
      assertThrows(ReplicaException.class, () -> replica.apply(json(answer)), answer);
      assertEquals("1", replica.getSnapshot().getVersion());
    }
  }

  @Test
  void an_answer_that_brings_nothing_is_no_change() throws Exception {
    assertNull(holding("[]").apply(json("{'kind':'unchanged','version':'1','seq':1}")));
    assertNull(new Replica().apply(json("{'kind':'deleted','version':'1'}")));
    assertEquals(Change.Kind.MISSING, holding("[]").apply(json("{'kind':'deleted','version':'1'}")).getKind());
  }

  @Test
  void what_did_not_change_is_the_same_object_with_the_same_key() throws Exception {
    Replica replica = holding(TWO);
    List<Row> before = replica.getSnapshot().getRows();
    replica.apply(snapshot("9", TWO.replace("'m2'", "'m2','n':1")));
    List<Row> after = replica.getSnapshot().getRows();
    for (int at = 0; at < before.size(); at++) {
      assertEquals(before.get(at).getKey(), after.get(at).getKey());
      if (at == 2) {
        assertNotSame(before.get(at), after.get(at));
      } else {
        assertSame(before.get(at), after.get(at));
      }
    }
  }

  @Test
  void an_id_that_came_back_is_another_row() throws Exception {
    Replica replica = holding("[{'id':'','items':[{'id':'a'}]}]");
    long key = replica.getSnapshot().item("a").getKey();
    replica.apply(snapshot("2", "[]"));
    replica.apply(snapshot("3", "[{'id':'','items':[{'id':'a'}]}]"));
    org.junit.jupiter.api.Assertions.assertNotEquals(key, replica.getSnapshot().item("a").getKey());
  }

  @Test
  void merge_patches_are_those_of_RFC_7396() throws Exception {
    String[][] rows = { // Appendix A: what is held, the patch, what comes of it
      {"{'a':'b'}", "{'a':'c'}", "{'a':'c'}"}, {"{'a':'b'}", "{'b':'c'}", "{'a':'b','b':'c'}"}, {"{'a':'b'}", "{'a':null}", "{}"},
      {"{'a':'b','b':'c'}", "{'a':null}", "{'b':'c'}"}, {"{'a':['b']}", "{'a':'c'}", "{'a':'c'}"},
      {"{'a':'c'}", "{'a':['b']}", "{'a':['b']}"}, {"{'a':{'b':'c'}}", "{'a':{'b':'d','c':null}}", "{'a':{'b':'d'}}"},
      {"{'a':[{'b':'c'}]}", "{'a':[1]}", "{'a':[1]}"}, {"['a','b']", "['c','d']", "['c','d']"}, {"{'a':'b'}", "['c']", "['c']"},
      {"{'a':'foo'}", "'bar'", "'bar'"}, {"{'e':null}", "{'a':1}", "{'e':null,'a':1}"},
      {"[1,2]", "{'a':'b','c':null}", "{'a':'b'}"}, {"{}", "{'a':{'bb':{'ccc':null}}}", "{'a':{'bb':{}}}"},
    };
    for (String[] row : rows) {
      Replica replica = holding("[{'id':'','items':[{'id':'x','held':" + row[0] + "}]}]");
      Json answer = delta("'ops':[['c',1,['x']]],'items':{'x':{'~patch':{'held':" + row[1] + "}}}");
      replica.apply(answer, true);
      assertEquals(json(row[2]), replica.getSnapshot().item("x").getContent().get("held"));
    }
  }

  @Test
  void patches_are_read_only_where_they_were_agreed_on_and_held() throws Exception {
    String patch = "'items':{'x':{'~patch':{'n':1}}}";
    Replica replica = holding("[{'id':'','items':[{'id':'x'}]}]");
    replica.apply(delta("'ops':[['c',1,['x']]]," + patch));
    assertEquals(json("{'~patch':{'n':1}}"), replica.getSnapshot().item("x").getContent());
    Replica wrapped = holding("[{'id':'','items':[{'id':'x'}]}]");
    wrapped.apply(delta("'ops':[['c',1,['x']]],'items':{'x':{'~item':{'~patch':2}}}"), true);
    assertEquals(json("{'~patch':2}"), wrapped.getSnapshot().item("x").getContent());
    Replica empty = holding("[{'id':'','items':[]}]");
    assertThrows(ReplicaException.class, () -> empty.apply(delta("'ops':[['i',1,['x']]]," + patch), true));
  }

  @Test
  void the_same_id_again_has_a_number_wherever_the_id_is() throws Exception {
    Replica replica = new Replica("/key/n");
    replica.apply(snapshot("1", "[{'id':'s','items':[{'key':{'n':7}},{'key':{'n':7},'k':2}]},{'id':'s','items':[]}]"));
    List<String> ids = new ArrayList<>();
    for (Row row : replica.getSnapshot().getRows()) ids.add(row.getId());
    assertEquals(List.of("s", "7", "7#2", "s#2"), ids);
    replica.apply(delta("'ops':[['r',2,1]],'deleted':['7#2']"));
    assertEquals(3, replica.getSnapshot().getRows().size());
  }

  @Test
  void many_of_the_same_id_are_read_in_no_time() throws Exception {
    holding("[{'id':'','items':[" + "{'id':1},".repeat(99_999) + "{'id':1}]}]");
  }

  @Test
  void a_change_in_very_many_steps_is_told_in_a_few() throws Exception {
    StringBuilder items = new StringBuilder("{'id':'x'}");
    StringBuilder ops = new StringBuilder();
    StringBuilder deleted = new StringBuilder();
    for (int at = 0; at < 1500; at++) {
      items.append(",{'id':'").append(at).append("'}");
      ops.append(at > 0 ? "," : "").append("['r',2,1]");
      deleted.append(at > 0 ? "," : "").append('\'').append(at).append('\'');
    }
    Replica replica = holding("[{'id':'','items':[" + items + "]}]");
    Change change = replica.apply(delta("'ops':[" + ops + "],'deleted':[" + deleted + "]"));
    assertEquals(1, change.getOps().size());
    ConformanceClient.assertSteps(change);
  }
}
