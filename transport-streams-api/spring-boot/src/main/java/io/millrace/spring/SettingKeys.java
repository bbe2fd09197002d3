package io.millrace.spring;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The keys of {@code reference.conf}, found by the spellings that Spring allows: {@code
 * idle-strategy}, {@code idleStrategy} and {@code MILLRACE_WORKERS_IDLE_STRATEGY}.
 */
final class SettingKeys {
  private static final String ROOT = "millrace";
  private static final String PROFILE = ROOT + ".profile";

  /** The settings by their letters and digits alone. */
  private final Map<String, String> byLetters = new HashMap<>();

  private final Config defaults =
      ConfigFactory.defaultReference(TransportSettings.class.getClassLoader());

  SettingKeys() {
    for (Map.Entry<String, ConfigValue> each : defaults.getConfig(ROOT).entrySet()) {
      String setting = setting(ROOT + "." + each.getKey());
      byLetters.put(letters(setting), setting);
    }
  }

  /**
   * Returns the setting of a key with a default: a default that depends on the profile is a block
   * with a key for each profile.
   */
  private String setting(String key) {
    int dot = key.lastIndexOf('.');
    String block = key.substring(0, dot);
    return defaults.hasPath(block + "." + defaults.getString(PROFILE)) ? block : key;
  }

  private static String letters(String text) {
    return text.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the setting of a variable of the system's environment. */
  Optional<String> ofVariable(String name) {
    return Optional.ofNullable(byLetters.get(letters(name)));
  }

  /**
   * Returns the path of a property: the setting's own names where they are known, with indexes and
   * all below an index as the property has them.
   */
  String[] path(ConfigurationPropertyName name) {
    List<String> names = new ArrayList<>();
    int length = name.getNumberOfElements();
    int known = 0;
    while (known < length && !name.isNumericIndex(known)) {
      names.add(name.getElement(known++, Form.ORIGINAL));
    }
    String found = byLetters.get(letters(String.join("", names)));
    if (found != null) {
      names = new ArrayList<>(Arrays.asList(found.split("\\.")));
    }
    for (int i = known; i < length; i++) {
      names.add(name.getElement(i, Form.ORIGINAL));
    }
    return names.toArray(String[]::new);
  }

  /**
   * Returns the value of a setting. A text that begins with a bracket is HOCON. Where the setting
   * is a list, commas part elements, and an empty text is the empty list.
   */
  ConfigValue value(String key, Object given, String place) {
    if (!(given instanceof String text)) {
      return EnvironmentSettings.placed(given, place);
    }
    String trimmed = text.strip();
    if (trimmed.startsWith("[") || trimmed.startsWith("{")) {
      return hocon(key, trimmed, place);
    }
    if (isList(key) && (trimmed.isEmpty() || trimmed.contains(","))) {
      List<String> parts =
          Arrays.stream(trimmed.split(",")).map(String::strip).filter(p -> !p.isEmpty()).toList();
      return EnvironmentSettings.placed(parts, place);
    }
    return EnvironmentSettings.placed(text, place);
  }

  private boolean isList(String key) {
    return defaults.hasPath(key) && defaults.getValue(key).valueType() == ConfigValueType.LIST;
  }

  private static ConfigValue hocon(String key, String text, String place) {
    try {
      return EnvironmentSettings.placed(
          ConfigFactory.parseString("value = " + text).resolve().getValue("value").unwrapped(),
          place);
    } catch (ConfigException e) {
      // The parser's words quote the value, which nobody should find in a log.
      throw new SettingsException(key, "is no HOCON (" + place + ")");
    }
  }
}
