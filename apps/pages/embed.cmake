# Makes the files of viewer and report string literals of one C++ source, so that a page can be written wherever the
# program is.
#   cmake -DPAGES=apps/pages -DOUT=assets.cpp -P embed.cmake
# In the order of their names; main.js, which starts the page, is set apart.
file(GLOB_RECURSE scripts ${PAGES}/viewer/script/*.js)
list(REMOVE_ITEM scripts ${PAGES}/viewer/script/main.js)
set(viewer_script "(() => {\n\"use strict\";\n")
foreach(path ${scripts} ${PAGES}/viewer/script/main.js)
  file(READ ${path} text)
  string(APPEND viewer_script "${text}")
endforeach()
string(APPEND viewer_script "})();\n")
foreach(name light dark style)
  file(READ ${PAGES}/viewer/${name}.css ${name})
endforeach()
# The viewer's script chooses its theme; what has no script, the system, and paper is light.
set(light_theme "${light}")
string(REPLACE ":root" ":root[data-theme=\"dark\"]" chosen_dark "${dark}")
set(viewer_style "${light}${chosen_dark}${style}")
set(two_themes "${light}@media screen and (prefers-color-scheme: dark) {\n${dark}}\n")
file(READ ${PAGES}/viewer/template.html viewer_template)
file(READ ${PAGES}/report/template.html report_template)
file(READ ${PAGES}/report/style.css report_style)
file(READ ${PAGES}/report/chart.css chart_style)

set(source "#include \"apps/pages/report/style.h\"\n#include \"apps/pages/matrix.h\"\n#include \"apps/pages/viewer/page.h\"\n\nnamespace softalign::apps {\n")
foreach(name light_theme viewer_template viewer_style viewer_script two_themes report_template report_style chart_style)
  string(APPEND source "const std::string_view ${name} = R\"softalign(${${name}})softalign\";\n")
endforeach()
file(WRITE ${OUT} "${source}}  // namespace softalign::apps\n")
