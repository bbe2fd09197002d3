package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.tree.FrameSchema.Field;
import io.millrace.tree.FrameSchema.Frame;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each rule finds the violations it is for, and leaves similar lawful code alone. */
final class PlantedViolationsTest {
  private static final String MAIN = "engine/src/main/java/io/millrace/Planted.java";
  private static final String TEST = "engine/src/test/java/io/millrace/PlantedTest.java";
  private static final String SLASH = "/";

  @Test
  void shouldFindIdleComments() {
    assertEquals(
        List.of(
            MAIN + ":2: unfinished work does not go on main: TODO",
            MAIN + ":3: a banner says nothing: // ------",
            MAIN + ":4: an inherited comment needs none: /** {@inheritDoc} */"),
        TidyRules.idleComments(
            main(
                """
                String word = "TODO";
                // TODO later
                // ------ section ------
                /** {@inheritDoc} */
                /** {@inheritDoc} and more. */
                int XXXL = 1; // - a list item
                """)));
  }

  @Test
  void shouldFindSleeps() {
    assertEquals(
        List.of(
            TEST + ":1: nobody sleeps: wait for a condition: Thread.sleep(",
            TEST + ":2: nobody sleeps: wait for a condition: MILLISECONDS.sleep("),
        TidyRules.sleeps(
            test(
                """
                Thread.sleep(1);
                TimeUnit.MILLISECONDS.sleep(1);
                // Thread.sleep(1) would not do
                String s = "Thread.sleep(1)";
                """)));
  }

  @Test
  void shouldFindUnexplainedSuppressions() {
    assertEquals(
        List.of(MAIN + ":1: a suppression has its reason on the line"),
        TidyRules.unexplainedSuppressions(
            main(
                """
                @SuppressWarnings("restricted")
                @SuppressWarnings("restricted") // the table holds addresses that libc gave us
                @SuppressWarnings({"restricted", "unchecked"}) // as above, and the array is ours
                """)));
  }

  @Test
  void shouldFindMachinePaths() {
    String home = SLASH + "home" + SLASH;
    assertEquals(
        List.of("README.md:1: this path exists on one machine only: " + home),
        TidyRules.machinePaths(
            new SourceFile("README.md", "cd " + home + "me\nhttps://host" + home + "\n~" + home)));
  }

  @Test
  void shouldFindRegistries() {
    String host = "https:" + SLASH + SLASH + "registry.example.org";
    assertEquals(
        List.of("pom.xml:1: names where artifacts come from: " + host),
        TidyRules.registries(
            new SourceFile(
                "pom.xml", "<url>" + host + SLASH + "m2</url>\nhttp://maven.apache.org")));
  }

  @Test
  void shouldFindLongFiles() {
    String longest = "int a;\n// comment\n\n/* two\nlines */\n".repeat(TidyRules.MOST_CODE_LINES);
    assertEquals(List.of(), TidyRules.longFiles(main(longest)));
    assertEquals(
        List.of(MAIN + ":1: 601 code lines, at most 600"),
        TidyRules.longFiles(main(longest + "String c = \"// not a comment\";")));
  }

  @Test
  void shouldFindPackagesNamedAfterNothing() {
    SourceFile impl = new SourceFile("engine/src/main/java/io/millrace/impl/A.java", "class A {}");
    SourceFile info =
        new SourceFile(
            "engine/src/main/java/io/millrace/package-info.java", "package io.millrace;");
    assertEquals(List.of(impl.path() + ":1: no package impl or common"), TidyRules.packages(impl));
    assertEquals(
        List.of(info.path() + ":1: the package is not @NullMarked"), TidyRules.packages(info));
  }

  @Test
  void shouldFindEmptyNames() {
    assertEquals(
        List.of(
            MAIN + ":1: the name Worker does not say what the type decides",
            MAIN + ":2: the name RingUtils does not say what the type decides",
            MAIN + ":4: accessors go without get: getSize"),
        SyntaxRules.names(
            main(
                """
                class Worker {
                  class RingUtils {}
                  enum State { OPEN }
                  int getSize() { return 1; }
                  int getAt(int index) { return index; }
                  @Override public int getRate() { return 1; }
                }
                """)));
  }

  @Test
  void shouldFindTestsThatPromiseNothing() {
    assertEquals(
        List.of(TEST + ":2: a test is named for what should happen: testLoss"),
        SyntaxRules.names(
            test(
                """
                class PlantedTest {
                  @Test void testLoss() {}
                  @Test void shouldDeclareLoss() {}
                  void fill() {}
                }
                """)));
  }

  @Test
  void shouldFindDeepNesting() {
    assertEquals(
        List.of(MAIN + ":4: nested deeper than 3"),
        SyntaxRules.nesting(
            main(
                """
                class Deep {
                  void deep(int n) {
                    for (int i = 0; i < n; i++) { while (n > 1) { if (n == 2) {
                      switch (n) { default -> {} } } } }
                    for (int i = 0; i < n; i++) {
                      if (i == 0) { n++; } else if (i == 1) { n--; } else if (i == 2) { n = 0; }
                      else if (i == 3) { run(() -> { if (n > 0) { run(null); } }); }
                    }
                  }
                }
                """)));
  }

  @Test
  void shouldFindDeadLinks() {
    LinkRules links =
        new LinkRules(
            path -> List.of("docs/a.md", "docs/b.md", "README.md").contains(path),
            path -> Optional.of("# One `Two`, three\n"));
    assertEquals(
        List.of(
            "docs/a.md:2: dead link: c.md",
            "docs/a.md:3: dead link: b.md#missing",
            "docs/a.md:4: dead link: ../../README.md"),
        links.deadLinks(
            new SourceFile(
                "docs/a.md",
                """
                [b](b.md) [top](../README.md) [out](https://example.org/c.md) `[code](c.md)`
                [c](c.md)
                [b](b.md#one-two-three) [b](b.md#missing)
                [outside](../../README.md)
                ```
                [fenced](c.md)
                ```
                """)));
  }

  @Test
  void shouldFindWhereTheProtocolDocumentDiffers() {
    List<Frame> schema =
        FrameSchema.parse(
            """
            <s:messageSchema xmlns:s="http://fixprotocol.io/2016/sbe">
              <s:message name="Ack" id="1">
                <field name="largest" type="uint64"/>
                <group name="ranges" dimensionType="groupSize"><field name="gap" type="uint32"/></group>
              </s:message>
              <s:message name="Probe" id="2"><data name="text" type="bytes16"/></s:message>
            </s:messageSchema>
            """);
    assertEquals(new Frame("Probe", 2, List.of(new Field("text", "bytes16"))), schema.getLast());
    String document =
        """
        ### Ack (1)
        | field | type | meaning |
        |---|---|---|
        | largest | uint64 | the largest |
        | ranges | group | older |
        | ranges.gap | `uint32` | missing |

        ### Probe (2)

        | field | type | meaning |
        |---|---|---|
        | `text` | bytes16 | any |
        """;
    assertEquals(List.of(), new ProtocolDocument(document).differencesFrom(schema));
    assertEquals(
        List.of(
            "Ack, field 1: documented as largest uint32, the schema says largest uint64",
            "Ack, field 3: documented as missing, the schema says ranges.gap uint32",
            "Probe has id 2, documented as 3",
            "Extra is not in the schema"),
        new ProtocolDocument(
                document
                        .replace("largest | uint64", "largest | uint32")
                        .replace("| ranges.gap | `uint32` | missing |", "")
                        .replace("Probe (2)", "Probe (3)")
                    + "### Extra (9)\n")
            .differencesFrom(schema));
    assertEquals(
        List.of("no section ### Probe (2)"),
        new ProtocolDocument(
                document.replace("### Probe (2)", "### Text").replace("| `text`", "text"))
            .differencesFrom(schema));
  }

  @Test
  void shouldFindCitationsOfRulesThatDoNotExist() {
    ProtocolDocument document =
        new ProtocolDocument("**P-1** first. **P-2** second. **P-2** again.");
    assertEquals(
        List.of(MAIN + ":1: there is no rule P-3", MAIN + ":2: there is no rule P-4"),
        document.unknownCitations(
            main(
                """
                // rules P-1, P-2 and P-3; the curve P-384
                /** As rule
                 * P-4 says. */
                String s = "rule P-9";
                """)));
    assertEquals(List.of("P-2"), document.ambiguousRules());
  }

  private static SourceFile main(String text) {
    return new SourceFile(MAIN, text);
  }

  private static SourceFile test(String text) {
    return new SourceFile(TEST, text);
  }
}
