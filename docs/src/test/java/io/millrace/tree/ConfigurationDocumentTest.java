package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.typesafe.config.ConfigFactory;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The configuration document equals the document made from reference.conf. */
final class ConfigurationDocumentTest {
  private static final SourceTree TREE = SourceTree.current();

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
        .map(Map.Entry::getKey)
        .forEach(settings::add);
    assertEquals(settings, new TreeSet<>(ConfigurationDocument.of(reference).settings()));
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
