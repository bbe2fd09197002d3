package io.millrace.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The keys of a block that {@code reference.conf} has: no other may be set. */
final class KnownKeys {
  /**
   * A key whose last name would have to change more than this is not the key that the user meant.
   */
  private static final int LETTERS_FOR_EACH_SLIP = 2;

  /**
   * The content of {@code reference.conf}, parsed once a process: the file lies beside this class.
   */
  private static volatile @Nullable Config parsed;

  private final String root;
  private final Config defaults = reference();

  /** The known keys below the block {@code root}. */
  KnownKeys(String root) {
    this.root = root;
  }

  // The configuration library keeps parsed configurations for a single class loader at a time, and
  // an actor system asks with another class loader. Two threads that parse the file at once get the
  // same result.
  private static Config reference() {
    Config known = parsed;
    if (known == null) {
      known = ConfigFactory.defaultReference(TransportSettings.class.getClassLoader());
      parsed = known;
    }
    return known;
  }

  /**
   * Checks each key that the configuration sets.
   *
   * @throws SettingsException naming an unknown key, and a known key that the user may mean
   */
  void check(Config config) {
    for (Map.Entry<String, ConfigValue> entry : config.getConfig(root).entrySet()) {
      String key = root + "." + entry.getKey();
      if (!defaults.hasPathOrNull(key)) {
        throw new SettingsException(
            key, "is unknown" + place(entry.getValue().origin()) + "; " + advice(key));
      }
    }
  }

  /** The place where the key is set, unless the place is a text without a name. */
  private static String place(ConfigOrigin origin) {
    String description = origin.description();
    return description.startsWith("String") ? "" : " (" + description + ")";
  }

  private String advice(String key) {
    return meant(key)
        .map(known -> "did you mean '" + known + "'?")
        .orElse("docs/configuration.md has all keys");
  }

  private Optional<String> meant(String key) {
    Set<String> keys = new TreeSet<>();
    for (String known : defaults.getConfig(root).root().keySet()) {
      keys.add(root + "." + known);
    }
    for (Map.Entry<String, ConfigValue> entry : defaults.getConfig(root).entrySet()) {
      keys.add(root + "." + TransportSettings.Profile.setting(entry.getKey()));
    }
    String leaf = leaf(key);
    int best = Integer.MAX_VALUE;
    @Nullable String found = null;
    for (String known : keys) {
      int slips = leaf(known).equals(leaf) ? 1 : slips(key, known);
      if (slips < best && slips <= leaf.length() / LETTERS_FOR_EACH_SLIP) {
        best = slips;
        found = known;
      }
    }
    return Optional.ofNullable(found);
  }

  private static String leaf(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /** The number of letters to add, leave out or change between two keys. */
  private static int slips(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
