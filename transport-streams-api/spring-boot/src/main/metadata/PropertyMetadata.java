import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes the metadata by which editors complete and explain the properties below {@code millrace},
 * from reference.conf on the class path: name, type, comment and default of each setting. Argument:
 * the folder of the module's classes.
 */
final class PropertyMetadata {
  private static final String ROOT = "millrace";

  private PropertyMetadata() {}

  public static void main(String[] arguments) throws IOException {
    Config settings = ConfigFactory.defaultReference().getConfig(ROOT);
    Map<String, ConfigValue> sorted = new TreeMap<>();
    String profile = "." + settings.getString("profile");
    for (String key : settings.entrySet().stream().map(Map.Entry::getKey).toList()) {
      String block = key.substring(0, Math.max(0, key.lastIndexOf('.')));
      String setting = !block.isEmpty() && settings.hasPath(block + profile) ? block : key;
      sorted.put(setting, settings.getValue(setting));
    }
    List<Object> properties = new ArrayList<>();
    sorted.forEach((key, value) -> properties.add(property(key, value, profile)));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("groups", List.of(Map.of("name", ROOT)));
    metadata.put("properties", properties);
    Path file = Path.of(arguments[0], "META-INF", "spring-configuration-metadata.json");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        ConfigValueFactory.fromMap(metadata)
                .render(ConfigRenderOptions.concise().setFormatted(true))
            + "\n");
  }

  /** A default that depends on the profile is a block: the property has that of the usual one. */
  private static Map<String, Object> property(String key, ConfigValue value, String profile) {
    ConfigValue usual =
        value instanceof ConfigObject block ? block.get(profile.substring(1)) : value;
    Map<String, Object> property = new LinkedHashMap<>();
    property.put("name", ROOT + "." + key);
    property.put("type", type(usual));
    property.put(
        "description",
        value.origin().comments().stream().map(String::strip).collect(Collectors.joining(" ")));
    property.put("defaultValue", usual.unwrapped());
    return property;
  }

  private static String type(ConfigValue value) {
    return switch (value.valueType()) {
      case LIST -> "java.util.List<java.lang.String>";
      case BOOLEAN -> "java.lang.Boolean";
      case NUMBER -> "java.lang.Number";
      default -> "java.lang.String";
    };
  }
}
