package io.millrace.spring;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.config.TransportSettings;
import java.util.Map;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The settings of a transport as Spring's environment has them: each property below {@code
 * millrace} is the setting of the same name, over the application's HOCON and the defaults. A
 * property source takes precedence as Spring says, and a list replaces a list. A variable of the
 * system's environment that is no setting is passed over, because other programs and Kubernetes
 * have such variables, too.
 */
final class EnvironmentSettings {
  private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("millrace");
  private static final String VARIABLES = "MILLRACE_";

  private final ConfigurableEnvironment environment;
  private final SettingKeys keys = new SettingKeys();

  private EnvironmentSettings(ConfigurableEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Returns the settings.
   *
   * @throws io.millrace.config.SettingsException naming the first property that is unknown or out
   *     of range, and its place
   */
  static TransportSettings of(ConfigurableEnvironment environment) {
    return TransportSettings.from(
        new EnvironmentSettings(environment).all().withFallback(TransportSettings.load("")));
  }

  private Config all() {
    Config all = ConfigFactory.empty();
    for (ConfigurationPropertySource source :
        ConfigurationPropertySources.from(environment.getPropertySources())) {
      if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
        all = all.withFallback(ofVariables(variables));
      } else if (source instanceof IterableConfigurationPropertySource properties) {
        all = all.withFallback(of(properties));
      }
    }
    return all;
  }

  private Config ofVariables(SystemEnvironmentPropertySource variables) {
    PropertyTree tree = new PropertyTree();
    for (Map.Entry<String, Object> each : variables.getSource().entrySet()) {
      if (each.getKey().startsWith(VARIABLES)) {
        keys.ofVariable(each.getKey())
            .ifPresent(
                key ->
                    tree.put(
                        key.split("\\."),
                        keys.value(key, resolved(each.getValue()), "variable " + each.getKey())));
      }
    }
    return tree.config();
  }

  private Config of(IterableConfigurationPropertySource properties) {
    PropertyTree tree = new PropertyTree();
    for (ConfigurationPropertyName name : properties) {
      ConfigurationProperty property =
          ROOT.isAncestorOf(name) ? properties.getConfigurationProperty(name) : null;
      if (property != null) {
        String[] path = keys.path(name);
        tree.put(path, keys.value(String.join(".", path), resolved(property), place(property)));
      }
    }
    return tree.config();
  }

  private static String place(ConfigurationProperty property) {
    Origin origin = property.getOrigin();
    return origin != null ? origin.toString() : String.valueOf(property.getSource());
  }

  private Object resolved(ConfigurationProperty property) {
    return resolved(property.getValue());
  }

  /** Replaces placeholders, as Spring does when a property is asked for. */
  private Object resolved(Object value) {
    return value instanceof CharSequence text
        ? environment.resolveRequiredPlaceholders(text.toString())
        : value;
  }

  /** Returns a value that tells its place. */
  static ConfigValue placed(Object value, String place) {
    return ConfigValueFactory.fromAnyRef(value, place);
  }
}
