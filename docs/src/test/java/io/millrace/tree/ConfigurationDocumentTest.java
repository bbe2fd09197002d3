package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The configuration document equals the document made from reference.conf. */
final class ConfigurationDocumentTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final List<String> PROFILES = List.of("shared", "dedicated", "container", "wan");
  private static final Pattern PROFILE = Pattern.compile("\\.(shared|dedicated|container|wan)$");

  /** A row of the table of profiles: the setting, and a figure for each profile. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| ((?:[0-9]+ m?s \\| ){3}[0-9]+ m?s) \\| ");

  @Test
  void shouldBeWhatReferenceConfMakes() {
    String generated = ConfigurationDocument.of(textOf(ConfigurationDocument.SOURCE)).text();
    assertEquals(generated, textOf(ConfigurationDocument.DOCUMENT), "regenerate the document");
  }

  @Test
  void shouldHaveARowForEverySetting() {
    String reference = textOf(ConfigurationDocument.SOURCE);
    TreeSet<String> settings = new TreeSet<>();
    ConfigFactory.parseString(reference).entrySet().stream()
        .map(entry -> PROFILE.matcher(entry.getKey()).replaceFirst(""))
        .forEach(settings::add);
    assertEquals(settings, new TreeSet<>(ConfigurationDocument.of(reference).settings()));
  }

  @Test
  void shouldCompareTheProfilesByTheFiguresOfReferenceConf() {
    Config reference = ConfigFactory.parseString(textOf(ConfigurationDocument.SOURCE));
    TreeMap<String, List<String>> set = new TreeMap<>();
    for (Map.Entry<String, ConfigValue> entry : reference.getConfig("millrace").entrySet()) {
      String key = PROFILE.matcher(entry.getKey()).replaceFirst("");
      if (!key.equals(entry.getKey())) {
        set.put(
            key,
            PROFILES.stream()
                .map(profile -> reference.getString("millrace." + key + "." + profile))
                .toList());
      }
    }
    TreeMap<String, List<String>> told = new TreeMap<>();
    ROW.matcher(textOf("docs/failure-handling.md"))
        .results()
        .forEach(
            row ->
                told.put(
                    row.group(1),
                    Stream.of(row.group(2).split("\\|", -1)).map(String::strip).toList()));
    assertEquals(set, told);
  }

  @Test
  void shouldRefuseASettingThatNothingExplains() {
    assertThrows(
        IllegalArgumentException.class, () -> ConfigurationDocument.of("a {\n  b {\nc = 1\n}\n}"));
  }

  private static String textOf(String path) {
    return TREE.file(path).orElseThrow().text();
  }
}
